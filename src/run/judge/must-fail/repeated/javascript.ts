import { insert } from '../alter/order.ts';
import { parametersOf } from '../alter/javascript/body.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Repeated, Repetition } from './repetition.ts';

/** Runners in which a thrown error is the result of a test, however often it asserted before. */
const RUNNERS = /^(?:node-test|vitest|jest|mocha)$/;
/** The test counts its assertions, or names snapshots by their number. */
const COUNTED = /\bassertions\s*\(|napshot|\bplan\s*\(/;

export function repeatJavaScript(test: SyntaxNode, repetition: Repetition, runner: string): Repeated | null {
  const isFunction = /^(?:arrow_function|function_expression|function)$/.test(test.type);
  if (!isFunction || !RUNNERS.test(runner) || parametersOf(test).length > 0 || COUNTED.test(test.source)) return null;
  if (test.children.some(({ type }) => type === '*')) return null;
  return { edits: [insert(test.start, `(${helper(repetition)})(`), insert(test.end, ')')] };
}

/** On one line, so that line numbers do not change. */
const helper = ({ name, calls, milliseconds, later }: Repetition): string =>
  `(body)=>function(){
const ${name}=()=>body.call(this);
const first=${name}();
const again=${Math.min(2, calls - 1)},most=${calls},steps=${later && calls > 1 ? '[61e3,37e5,9e7,4e10]' : '[]'};
const clock={Date:globalThis.Date,now:performance.now,up:process.uptime,hr:process.hrtime};
const end=clock.Date.now()+${milliseconds};
const ahead=(ms)=>{
globalThis.Date=class Date extends clock.Date{constructor(...given){if(given.length===0)super(clock.Date.now()+ms);else super(...given)}static now(){return clock.Date.now()+ms}};
performance.now=()=>clock.now.call(performance)+ms;
process.uptime=()=>clock.up.call(process)+ms/1e3;
process.hrtime=Object.assign((since)=>{const now=clock.hr.call(process,since);return [now[0]+(since===undefined?Math.floor(ms/1e3):0),now[1]]},{bigint:()=>clock.hr.bigint()+BigInt(ms)*1000000n})
};
const home=()=>{globalThis.Date=clock.Date;performance.now=clock.now;process.uptime=clock.up;process.hrtime=clock.hr};
if(typeof first?.then==='function')return (async()=>{
await first;
for(let i=0;i<again;i++)try{await ${name}()}catch{return}
for(let i=3;i<most&&clock.Date.now()<end;i++)await ${name}();
for(const ms of steps)try{ahead(ms);await ${name}()}finally{home()}
})();
for(let i=0;i<again;i++)try{${name}()}catch{return}
for(let i=3;i<most&&clock.Date.now()<end;i++)${name}();
for(const ms of steps)try{ahead(ms);${name}()}finally{home()}
}`.replaceAll('\n', '');

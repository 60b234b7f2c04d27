import { attributesOf } from '../../syntax/imports/rust.ts';
import { insert } from '../alter/order.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Repeated, Repetition } from './repetition.ts';

/** Only for functions that return nothing: the body becomes a closure. */
export function repeatRust(test: SyntaxNode, { name, calls, milliseconds }: Repetition): Repeated | null {
  const body = test.child('body');
  const isOther =
    test.child('return_type') !== null ||
    (test.child('parameters')?.parts.length ?? 0) > 0 ||
    /\basync\b/.test(test.firstOfType('function_modifiers')?.text ?? '') ||
    attributesOf(test).some(({ text }) => /should_panic/.test(text));
  if (test.type !== 'function_item' || body === null || isOther) return null;
  if (body.firstOfType('inner_attribute_item') !== null) return null;
  const begun = `${name}_begun`;
  return {
    edits: [
      insert(
        body.start + 1,
        `let ${begun}=::std::time::Instant::now();for ${name} in 0..${calls}usize{if ${name}>2&&${begun}.elapsed().as_millis()>${milliseconds}{break;}match ::std::panic::catch_unwind(||{`,
      ),
      insert(
        body.end - 1,
        `}){Ok(())=>{},Err(failure)=>{if ${name}==0||${name}>2{::std::panic::resume_unwind(failure);}return;}}}`,
      ),
    ],
  };
}

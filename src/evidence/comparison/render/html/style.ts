import { Markup } from '../../../report/render/html/markup.ts';
import { LAYOUT_CSS } from '../../../report/render/html/style-layout.ts';
import { PARTS_CSS } from '../../../report/render/html/style-parts.ts';

/** Tables, heat map and plots, in the colours of the run reports. */
const COMPARISON_CSS = `
:root { --tone-wash: var(--wash); --heat-low: #f7c8a9; --heat-high: #86d0b9; }
@media (prefers-color-scheme: dark) { :root { --heat-low: #6e3a1d; --heat-high: #12614f; } }
.scroll { overflow-x: auto; margin: 0 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; }
thead th { color: var(--soft); font-size: .85rem; vertical-align: bottom; }
.engines { width: 100%; }
.engines th, .engines td { padding: .5rem .8rem .5rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
.engines td { font-size: .95rem; }
.engines small, .heat th small { display: block; font-weight: 400; font-size: .8rem; color: var(--soft); }
.rate { display: grid; grid-template-columns: 3.2rem 6rem; align-items: center; gap: .3rem; }
.bar { position: relative; height: .7rem; background: var(--code); border-radius: .35rem; }
.bar i { position: absolute; top: 0; bottom: 0; background: color-mix(in oklab, var(--sea) 40%, transparent); border-radius: .35rem; }
.bar b { position: absolute; top: -.15rem; bottom: -.15rem; width: .2rem; margin-left: -.1rem; background: var(--sea); border-radius: .1rem; }
.heat { border-collapse: separate; border-spacing: .25rem; margin: 0 -.25rem; }
.heat th[scope=row] { padding-right: .8rem; font-weight: 400; font-family: var(--mono); font-size: .875rem; white-space: nowrap; position: sticky; left: 0; background: var(--paper); }
.heat thead th { text-align: center; max-width: 11rem; padding: 0 .3rem .2rem; }
.heat thead th:first-child { text-align: left; }
.heat td { padding: 0; min-width: 6.5rem; height: 3.4rem; border-radius: .4rem; text-align: center; background: var(--code); }
.heat td.rated { background: color-mix(in oklab, var(--heat-high) var(--rate), var(--heat-low)); }
.heat td.empty { color: var(--soft); }
.hatched { background: repeating-linear-gradient(45deg, var(--code) 0 6px, var(--line) 6px 9px) !important; }
.heat a { display: flex; flex-direction: column; justify-content: center; height: 100%; min-height: 3.4rem; padding: .2rem .5rem; color: var(--ink); text-decoration: none; border-radius: .4rem; line-height: 1.25; }
.heat a:hover, .heat a:focus-visible { outline: 2px solid var(--sea); outline-offset: 1px; }
.heat a b { font-size: 1.1rem; }
.heat a small { font-size: .75rem; }
.legend { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; font-size: .8rem; color: var(--soft); }
.legend i { display: inline-block; width: 7rem; height: .8rem; border-radius: .2rem; }
.legend .ramp { background: linear-gradient(in oklab to right, var(--heat-low), var(--heat-high)); }
.legend .hatched { width: 1.6rem; margin-left: .8rem; }
.plot { width: 100%; min-width: 34rem; max-width: 52rem; height: auto; font: 13px var(--sans); }
.plot text { fill: var(--ink); }
.plot .axis { fill: var(--soft); }
.plot .grid { stroke: var(--line); fill: none; }
.plot .whisker, .plot .median { stroke: var(--sea); stroke-width: 2; fill: none; }
.plot .median { stroke-width: 3; stroke: var(--ink); }
.plot circle { fill: var(--sea); }
.plot circle.pass { fill: var(--good); fill-opacity: .75; }
.plot circle.fail { fill: var(--paper); stroke: var(--bad); stroke-width: 2; }
h4 { margin: 0 0 .3rem; font: 600 .95rem var(--sans); }
.cell { padding: .5rem .8rem; border-left: .2rem solid var(--line); margin: 0 0 .6rem; }
.cell:target { background: var(--wash); border-color: var(--sea); border-radius: 0 .4rem .4rem 0; }
.cell .states { margin: 0; }
.cell .states li { grid-template-columns: 6.5rem 1fr; }
.cell .left { display: block !important; }
.cell small { color: var(--soft); }
@media (max-width: 34rem) { .heat th[scope=row] { white-space: normal; overflow-wrap: normal; min-width: 8rem; } .rate { grid-template-columns: 3.2rem 4rem; } }
.reasons td, .reasons th { padding: .35rem .9rem .35rem 0; border-bottom: 1px dotted var(--line); vertical-align: top; }
.reasons td:nth-child(4) { text-align: right; }
`;

export const COMPARISON_STYLE = new Markup(`<style>${LAYOUT_CSS}${PARTS_CSS}${COMPARISON_CSS}</style>`);

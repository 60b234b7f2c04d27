/** Facts, states, output, timeline and diff, on screen and in print. */
export const PARTS_CSS = `
dl { margin: 0 0 1rem; }
dl > div { display: grid; grid-template-columns: minmax(8rem, 13rem) 1fr; gap: .2rem 1rem; padding: .35rem 0; border-bottom: 1px dotted var(--line); }
dl > div:last-child { border: 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
#facts dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .7rem; }
#facts dl > div { display: block; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .85rem; }
#facts dt { font-size: .8rem; }
main > section > ul:not(.states) { padding-left: 1.2rem; }
.none { color: var(--soft); }
.note { border-left: .2rem solid var(--sea); background: var(--wash); padding: .5rem .8rem; border-radius: 0 .4rem .4rem 0; }
.note.plain { border: 0; background: none; padding: 0; color: var(--soft); }
.note.good { border-color: var(--good); background: var(--good-wash); }
.note.bad { border-color: var(--bad); background: var(--bad-wash); }
.note.warn { border-color: var(--warn); background: var(--warn-wash); }
.note code { background: none; padding: 0; }
.states { list-style: none; margin: 0 0 1rem; padding: 0; }
.states li { display: grid; grid-template-columns: 7.5rem 1fr; gap: .75rem; padding: .2rem 0; align-items: baseline; }
.states b { font-size: .8rem; font-weight: 600; color: var(--soft); }
.good > b { color: var(--good); } .bad > b { color: var(--bad); } .warn > b { color: var(--warn); }
.good > b::before { content: "✓ "; } .bad > b::before { content: "✕ "; } .warn > b::before { content: "! "; }
#checks .states { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(23rem, 100%), 1fr)); gap: 0 2rem; font-size: .9rem; }
#checks li { grid-template-columns: 4.6rem 1fr; gap: .5rem; }
#checks li.bad { grid-column: 1 / -1; margin-top: .5rem; padding: .5rem .8rem; border-left: .2rem solid var(--bad); border-radius: 0 .4rem .4rem 0; background: var(--bad-wash); }
#checks code { background: none; padding: 0; }
#checks code:first-child { font-family: var(--sans); font-size: 1em; font-weight: 600; }
pre { margin: 0 0 1rem; padding: .8rem 1rem; background: var(--code); border-radius: .5rem; line-height: 1.5; white-space: pre-wrap; tab-size: 4; overflow: auto; }
.command { background: var(--card); border: 1px solid var(--line); font-weight: 600; }
.command::before { content: "$ "; color: var(--soft); }
details { margin: 0 0 1rem; }
summary { cursor: pointer; padding: .3rem 0; color: var(--soft); }
.output { max-height: 34rem; }
#asked .output { max-height: none; background: var(--card); border: 1px solid var(--line); }
.left { color: var(--soft); font-style: italic; }
.timeline, .timeline ul { list-style: none; margin: 0; padding: 0; }
.timeline > li { padding: .5rem 0; }
.step { display: grid; grid-template-columns: 9rem 1fr 6rem; gap: .8rem; align-items: center; }
.step h3 { margin: 0; font: 600 1rem var(--sans); }
.track { height: .55rem; background: var(--code); border-radius: .3rem; overflow: hidden; display: flex; }
.track div { background: var(--sea); border-radius: .3rem; min-width: 2px; flex: none; }
.took { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; font-size: .9rem; }
.timeline ul li { display: grid; grid-template-columns: 5.2rem 4.4rem 1fr; gap: .6rem; padding: .12rem 0; font-size: .9rem; align-items: baseline; }
.timeline ul li.left { display: block; }
.timeline time { color: var(--soft); font: .85em var(--mono); text-align: right; }
.harness, .claim { font-size: .75rem; font-weight: 600; text-align: center; color: var(--sea); white-space: nowrap; }
.claim { border-radius: 1rem; padding: 0 .5rem; color: var(--warn); background: var(--warn-wash); border: 1px dashed var(--warn); }
.type { background: none; padding: 0; color: var(--soft); }
.file { border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: hidden; }
.file > summary { padding: .5rem .8rem; color: var(--ink); }
.file[open] > summary { border-bottom: 1px solid var(--line); }
.file > .left { padding: 0 .8rem; margin: .5rem 0; }
.plus { color: var(--good); font-weight: 600; } .minus { color: var(--bad); font-weight: 600; }
.file small { color: var(--soft); }
.diff { margin: 0; padding: .3rem 0; background: none; border-radius: 0; font-size: .8rem; }
.diff > span { display: grid; grid-template-columns: 3.4rem 3.4rem 1.4rem 1fr; }
.diff > span > span { min-width: 0; overflow: hidden; unicode-bidi: isolate; }
.diff i { color: var(--soft); text-align: right; padding-right: .7rem; font-style: normal; user-select: none; }
.diff b { text-align: center; font-weight: 600; }
.diff > .hunk { display: block; padding: .25rem 1rem; color: var(--soft); background: var(--wash); }
.diff > .add { background: var(--good-wash); } .diff .add b { color: var(--good); }
.diff > .remove { background: var(--bad-wash); } .diff .remove b { color: var(--bad); }
.diff > .remark { color: var(--soft); font-style: italic; }
@media (max-width: 34rem) {
  #facts dl { grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .5rem; }
  dl > div { grid-template-columns: 1fr; }
  .step { grid-template-columns: 1fr auto; }
  .track { grid-column: 1 / -1; grid-row: 2; }
  .timeline ul li { grid-template-columns: auto auto 1fr; gap: 0 .5rem; padding: .2rem 0; }
  .timeline ul li > span { grid-column: 1 / -1; padding-left: 1rem; }
  .states li { grid-template-columns: 5.5rem 1fr; }
  .diff > span { grid-template-columns: 2.2rem 2.2rem 1.1rem 1fr; }
  .diff i { padding-right: .35rem; }
}
@media print {
  :root { --paper: #fff; --card: #fff; }
  body { font-size: 10pt; }
  nav { display: none; }
  .page { display: block; }
  .output { max-height: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h2, h3, summary, .step { break-after: avoid; }
  dl > div, .states li, .timeline ul li { break-inside: avoid; }
  * { print-color-adjust: exact; }
}
`;

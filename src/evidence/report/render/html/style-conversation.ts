/** The conversation: one block a turn, calls beside their output. Turns outside the window are not laid out. */
export const CONVERSATION_CSS = `
.search { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; position: sticky; top: 0; z-index: 1; margin: 0 0 .8rem; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); font-size: .9rem; }
.search[hidden] { display: none; }
.search input[type=search] { font: inherit; width: min(20rem, 60vw); padding: .3rem .6rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
.search button { font: inherit; padding: .25rem .7rem; color: var(--sea); background: var(--card); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
.search output { color: var(--soft); }
.turn { margin: 0; padding: .1rem 0 .1rem .9rem; border-left: .2rem solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.2rem; scroll-margin-top: 4rem; }
.turn[open] { border-color: var(--sea); padding-bottom: .6rem; }
.turn[hidden] { display: none; }
.turn > summary { display: grid; grid-template-columns: auto auto 1fr auto; gap: .7rem; align-items: baseline; font-size: .9rem; }
.turn > summary b { min-width: 1.6rem; color: var(--ink); font-variant-numeric: tabular-nums; }
.turn time, .cost { color: var(--soft); font: .85em var(--mono); white-space: nowrap; }
.gist { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink); }
.turn[open] > summary .gist { visibility: hidden; }
.gist code { white-space: nowrap; }
.gist .bad { color: var(--bad); background: var(--bad-wash); }
.said { max-width: 52rem; margin: .3rem 0 .6rem; white-space: pre-wrap; unicode-bidi: isolate; }
.said ul { margin: .2rem 0; padding-left: 1.2rem; white-space: normal; }
.call { margin: 0 0 .5rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: hidden; }
.call > summary { display: flex; flex-wrap: wrap; gap: .1rem .7rem; align-items: baseline; padding: .4rem .8rem; }
.call > summary b { color: var(--good); }
.call > summary code { flex: 1 1 12rem; min-width: 0; max-height: 1.6em; overflow: hidden; background: none; padding: 0; color: var(--ink); }
.call.failed { border-color: var(--bad); }
.call.failed > summary b, .call.failed > summary .cost { color: var(--bad); }
.call[open] > summary { border-bottom: 1px solid var(--line); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
.pair > div { min-width: 0; padding: .4rem .8rem .5rem; }
.pair > div + div { border-left: 1px solid var(--line); background: var(--paper); }
.pair h4 { margin: 0 0 .2rem; font: 600 .72rem var(--sans); letter-spacing: .08em; text-transform: uppercase; color: var(--soft); }
.pair pre { margin: 0; padding: 0; max-height: 28rem; background: none; font-size: .8rem; }
::highlight(found) { background: var(--warn); color: var(--paper); }
@media (max-width: 34rem) {
  .turn { padding-left: .5rem; }
  .turn > summary { grid-template-columns: auto auto 1fr; }
  .turn > summary .gist, .turn > summary .cost { grid-column: 1 / -1; }
  .turn[open] > summary .gist { display: none; }
  .pair > div + div { border-left: 0; border-top: 1px solid var(--line); }
}
@media print { .search { display: none; } .turn { content-visibility: visible; } .pair pre { max-height: none; } }
`;

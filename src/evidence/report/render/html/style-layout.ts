/** Colours, type and page frame. Every colour pair has a contrast of at least 4.5:1. */
export const LAYOUT_CSS = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d2733; --soft: #56626f; --line: #e1ddd3; --code: #f1eee7;
  --sea: #17507a; --good: #0b6b52; --bad: #a92f24; --warn: #855800; --tone: var(--sea);
  --good-wash: #e3f3ed; --bad-wash: #fbe9e6; --warn-wash: #faf0d8; --wash: #e8eff5;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, Consolas, monospace;
  --sans: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, "Liberation Serif", serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0e151d; --card: #141d27; --ink: #dde5ed; --soft: #9aa8b6; --line: #263443; --code: #1c2733;
    --sea: #7db8e0; --good: #5fcfac; --bad: #f3958a; --warn: #e5b95f;
    --good-wash: #10281f; --bad-wash: #2f1715; --warn-wash: #2a2110; --wash: #14222f;
  }
}
body.pass { --tone: var(--good); --tone-wash: var(--good-wash); }
body.fail { --tone: var(--bad); --tone-wash: var(--bad-wash); }
body.blocked { --tone: var(--warn); --tone-wash: var(--warn-wash); }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
a { color: var(--sea); text-underline-offset: .15em; }
h1, h2, h3 { font-family: var(--serif); line-height: 1.2; text-wrap: balance; }
p { margin: 0 0 .8rem; }
code, pre { font-family: var(--mono); font-size: .875em; direction: ltr; unicode-bidi: isolate; }
code { background: var(--code); border-radius: .25em; padding: .1em .35em; white-space: pre-wrap; box-decoration-break: clone; }
a code { color: inherit; }
header { background: var(--tone-wash); }
.hero { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.5rem 1.5rem; display: grid; grid-template-columns: auto 1fr; gap: 1.5rem; }
.hero > div { min-width: 0; }
.hero svg { width: 4.5rem; height: 4.5rem; border-radius: 50%; background: var(--tone); fill: none; stroke: var(--paper); stroke-width: 4; stroke-linecap: round; stroke-linejoin: round; }
.wave { display: block; width: 100%; height: 1.25rem; fill: var(--paper); }
.brand { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .12em; text-transform: uppercase; }
h1 { margin: .15rem 0 .5rem; font-size: clamp(1.8rem, 5vw, 2.8rem); font-weight: 600; }
h1 .word { color: var(--tone); }
h1 code { font-size: .62em; background: none; padding: 0; vertical-align: .1em; }
.meaning { font-size: 1.1rem; max-width: 52rem; text-wrap: pretty; }
.proof { margin: 0 0 1rem; font-size: 1.1rem; max-width: 52rem; }
.proof code { background: none; padding: 0; font: inherit; font-weight: 600; }
.warning { max-width: 52rem; padding: .5rem .8rem; border-radius: .3rem; background: var(--bad); color: var(--paper); font-weight: 600; }
.reason { border-left: .25rem solid var(--tone); padding-left: 1rem; max-width: 52rem; }
.reason h2 { margin: 0 0 .2rem; font: 600 .8rem var(--sans); letter-spacing: .08em; text-transform: uppercase; color: var(--soft); }
.reason p code, .reason li code { font-weight: 600; background: var(--card); margin-right: .3em; }
.reason small { display: block; margin-top: .3rem; font-size: .9rem; color: var(--soft); }
.reason p small code, .reason li small code { font-weight: 400; }
.reason ul { margin: 0; padding-left: 1.1rem; }
.reason li { margin: .3rem 0; }
.page { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
nav ul { list-style: none; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; font-size: .9rem; }
nav a { text-decoration: none; color: var(--soft); }
nav a:hover { color: var(--sea); text-decoration: underline; }
main { min-width: 0; }
section { padding: 1.6rem 0; border-bottom: 1px solid var(--line); }
section:last-child { border: 0; }
section > h2 { margin: 0 0 .9rem; font-size: 1.5rem; font-weight: 600; }
section > h3 { margin: 1.4rem 0 .5rem; font-size: 1.05rem; }
footer { max-width: 76rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; color: var(--soft); font-size: .85rem; }
@media (min-width: 68rem) {
  .page { display: grid; grid-template-columns: 11.5rem 1fr; gap: 3rem; }
  nav ul { position: sticky; top: 1.5rem; margin-top: 1.8rem; display: block; }
  nav li { margin: .45rem 0; }
}
@media (max-width: 34rem) {
  .hero { grid-template-columns: 1fr; gap: .8rem; padding: 1.4rem 1rem 1rem; }
  .hero svg { width: 3rem; height: 3rem; }
  .page, footer { padding-left: 1rem; padding-right: 1rem; }
  h1 code { display: block; }
}
`;

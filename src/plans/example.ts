const HEAD = (name: string, source: string, description: string, day: string): string => `---
name: ${name}
tier: local
status: draft
owner: you
source: ${source}
created: ${day}
last_reviewed: ${day}
lifecycle_classification: planning
core_promotion_status: not-promoted
description: ${description}
---

Local planning SOT only. Not a Core Protocol. Not active Core authority.
`;

/** A small set of planning documents without a fault. */
export function planExample(day: string): Readonly<Record<string, string>> {
  return {
    'WORKBOARD.yaml': `documents:
  - { path: plans/PRD.md, kind: prd }
  - { path: plans/ISSUES.md, kind: issues }
items:
  - { id: CTO-WORK-001, status: ready, document: plans/ISSUES.md }
  - { id: CTO-WORK-002, status: draft, document: plans/ISSUES.md }
`,
    'plans/PRD.md': `${HEAD('example-prd', 'plans/PRD.md', 'What the candidate backend must show.', day)}
# Example

The candidate backend slugifies strings. Default status is earned, not assumed.
`,
    'plans/ISSUES.md': `${HEAD('example-issues', 'plans/PRD.md', 'The work items of the candidate backend.', day)}
# Issue sequence

## CTO-WORK-001 - Prove the built-in task

Type: AFK
Blocked by: none
Allowed files: none; a run works on a copy
Validator: seatrial run r1-string-slugify
Done evidence: a passing run that verifies

When it is done, set its status to validated here and on the workboard, and cite the run:

    Validation evidence:
    - run <id>

## CTO-WORK-002 - Prove it twice

Type: AFK
Blocked by: CTO-WORK-001
Allowed files: none; a run works on a copy
Validator: seatrial compare --engines fake --tasks r1-string-slugify --repeat 2
Done evidence: two passing runs that verify
`,
  };
}

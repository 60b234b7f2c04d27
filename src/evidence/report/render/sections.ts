import type { Bounds } from './text/bounds.ts';
import type { Section } from './document.ts';
import { attemptSections } from './sections/work/attempts.ts';
import { changeSection } from './sections/change.ts';
import { checksSections } from './sections/checks.ts';
import { confinementSection } from './sections/confinement.ts';
import { conversationSections } from './sections/work/conversation.ts';
import { controlSection } from './sections/control.ts';
import { digestsSection } from './sections/digests.ts';
import { failingSections } from './sections/failing.ts';
import { instructionSection } from './sections/instruction.ts';
import { keyFacts } from './sections/key-facts.ts';
import { maskedSection } from './sections/masked.ts';
import { peopleSection } from './sections/people.ts';
import { proofSections } from './sections/proof.ts';
import { settingsSections } from './sections/settings.ts';
import { testsSection } from './sections/tests.ts';
import { timelineSection } from './sections/timeline.ts';
import { toolchainSection } from './sections/toolchain.ts';
import { uncheckedSection } from './sections/unchecked.ts';
import type { ReportView } from './view.ts';

/** All sections below the verdict, in reading order. */
export function sectionsOf(view: ReportView, bounds: Bounds): readonly Section[] {
  const { report } = view;
  return [
    ...proofSections(report),
    ...failingSections(view, bounds),
    changeSection(view, bounds),
    testsSection(view, bounds),
    keyFacts(report),
    instructionSection(view, bounds),
    ...attemptSections(view, bounds),
    ...conversationSections(view, bounds),
    ...checksSections(view),
    timelineSection(view, bounds),
    controlSection(report),
    peopleSection(report, bounds),
    confinementSection(report),
    ...settingsSections(report),
    toolchainSection(report),
    maskedSection(view),
    uncheckedSection(report),
    digestsSection(report),
  ];
}

import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import { contractDigest, makeContractOf } from '../../task/contract-of.ts';
import { type Archives, copyInputs, packInputs } from '../trees/inputs.ts';
import type { Run } from './state.ts';

/** What was asked, written down, with the bytes to start from. */
export interface PreparedContract {
  readonly contract: Contract;
  readonly archives: Archives;
}

/** Packs and writes down what was asked. */
export function makeContract(run: Run): PreparedContract {
  const { controlOf, terms, inputs } = run.request;
  const archives =
    controlOf === undefined ? packInputs(inputs, run.bundle) : copyInputs(controlOf.archives, run.bundle);
  const contract = makeContractOf(terms, archives);
  run.log.write('inputs/contract.json', prettyJson(contract));
  run.contract = contract;
  run.log.contract = contract;
  run.log.append('task.contract.created', 'harness', { task: contract.task, sha256: contractDigest(contract) });
  return { contract, archives };
}

import { insert } from '../alter/order.ts';
import { marginAt, pythonOwnNodes } from '../alter/python/body.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Repeated, Repetition } from './repetition.ts';

/** Adds `test = repeat(test)` after the function, with its decorators. */
export function repeatPython(test: SyntaxNode, repetition: Repetition): Repeated | null {
  const whole = test.parent?.type === 'decorated_definition' ? test.parent : test;
  const name = test.child('name')?.text;
  const margin = marginAt(test.source, whole.start);
  const isAsync = test.children.some(({ type }) => type === 'async');
  if (name === undefined || margin === null || isAsync || pythonOwnNodes(test, 'yield').length > 0) return null;
  const lines = helper(repetition).trimEnd().split('\n');
  const added = [...lines, `${name} = ${repetition.name}(${name})`].map((line) => `\n${margin}${line}`).join('');
  return { edits: [insert(whole.end, added)] };
}

const helper = ({ name, calls, milliseconds, later }: Repetition): string => `def ${name}(body):
    import datetime, functools, sys, time

    @functools.wraps(body)
    def again(*args, **kwargs):
        body(*args, **kwargs)
        for _ in range(${Math.min(2, calls - 1)}):
            try:
                body(*args, **kwargs)
            except BaseException:
                return
        count = 3
        end = time.perf_counter() + ${milliseconds / 1000}
        while count < ${calls} and time.perf_counter() < end:
            count += 1
            body(*args, **kwargs)
        for ahead in ${later && calls > 1 ? '(61, 3700, 90000, 40000000)' : '()'}:
            replaced = []
            moment = datetime.datetime
            late = datetime.timedelta(seconds=ahead)

            class later(moment):
                now = classmethod(lambda cls, tz=None: moment.now(tz) + late)
                today = classmethod(lambda cls: moment.today() + late)
                utcnow = classmethod(lambda cls: moment.utcnow() + late)

            fakes = [(moment, later)]
            for clock in ("time", "monotonic", "perf_counter", "process_time"):
                for kind, scale in (("", 1), ("_ns", 1000000000)):
                    real = getattr(time, clock + kind)
                    fakes.append((real, functools.partial(lambda real, ahead: real() + ahead, real, ahead * scale)))
            for module in list(sys.modules.values()):
                file = str(getattr(module, "__file__", ""))
                if module not in (time, datetime) and ("site-packages" in file or file.startswith(sys.base_prefix)):
                    continue
                for key, value in list(getattr(module, "__dict__", {}).items()):
                    for real, fake in fakes:
                        if value is real:
                            replaced.append((module, key, real))
                            setattr(module, key, fake)
            try:
                body(*args, **kwargs)
            finally:
                for module, key, real in replaced:
                    setattr(module, key, real)

    return again
`;

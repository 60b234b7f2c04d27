import { insert } from '../alter/order.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Repeated, Repetition } from './repetition.ts';

/** Further calls get a `testing.T` of their own, whose result is not reported. */
export function repeatGo(test: SyntaxNode, repetition: Repetition): Repeated | null {
  const body = test.child('body');
  const [parameter, another] = test.child('parameters')?.parts ?? [];
  const [given, type] = [parameter?.child('name')?.text, parameter?.child('type')?.text];
  const owner = /^package\s+(\w+)/m.exec(test.source)?.[1];
  const isPlain = test.type !== 'method_declaration' && another === undefined && type === '*testing.T';
  if (body === null || given === undefined || given === '_' || owner === undefined || !isPlain) return null;
  const { name } = repetition;
  return {
    edits: [insert(body.start + 1, ` ${name}(${given}, func(${given} *testing.T) {`), insert(body.end - 1, '})')],
    beside: [`${name}_${owner}_test.go`, helper(repetition, owner)],
  };
}

const helper = ({ name, calls, milliseconds }: Repetition, owner: string): string => `package ${owner}

import (
	"testing"
	"time"
)

func ${name}(t *testing.T, body func(*testing.T)) {
	t.Helper()
	body(t)
	if t.Failed() || t.Skipped() {
		return
	}
	once := func() (ok bool) {
		trial, done := new(testing.T), make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }()
			body(trial)
			ok = !trial.Failed()
		}()
		<-done
		return ok
	}
	for i := 1; i < 3 && i < ${calls}; i++ {
		if !once() {
			return
		}
	}
	begun := time.Now()
	for i := 3; i < ${calls} && time.Since(begun) < ${milliseconds}*time.Millisecond; i++ {
		if !once() {
			t.Fatal("not again")
		}
	}
}
`;

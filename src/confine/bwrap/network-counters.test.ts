import { expect, test } from 'vitest';
import { tellsOfReachingOut } from './network-counters.ts';

const snmp = (noRoutes: number, noPorts: number): string =>
  `Ip: Forwarding DefaultTTL OutNoRoutes\nIp: 1 64 ${noRoutes}\nTcp: ActiveOpens OutRsts\nTcp: 3 1\nUdp: InDatagrams NoPorts\nUdp: 2 ${noPorts}\n`;

test('an address without a way to it and a name server that is not there are told from local traffic', () => {
  expect(tellsOfReachingOut(snmp(0, 0))).toBe(false);
  expect(tellsOfReachingOut(snmp(1, 0))).toBe(true);
  expect(tellsOfReachingOut(snmp(0, 4))).toBe(true);
});

test('counters of IPv6 stand one in a line', () => {
  expect(tellsOfReachingOut('Ip6InReceives \t4\nIp6OutNoRoutes \t0\n')).toBe(false);
  expect(tellsOfReachingOut('Ip6InReceives \t4\nIp6OutNoRoutes \t2\n')).toBe(true);
});

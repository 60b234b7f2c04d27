import { expect, test } from 'vitest';
import { bootFiles } from './units.ts';

const project = { dir: "/home/jo/my 100% 'demo'", id: 'abcdef0123456789', prefix: 'demo-' };
const files = bootFiles(project, ['/usr/bin/node', '/opt/sea trial/seatrial.js'], '/usr/bin:/home/jo/bin');

test('the service goes on with the phase, and leaves what it started', () => {
  expect(files.name).toBe('seatrial-demo-abcdef01');
  expect(files.service).toContain(
    `ExecStart="/usr/bin/node" "/opt/sea trial/seatrial.js" "up" "--resume" "--project" "/home/jo/my 100%% 'demo'"\n`,
  );
  expect(files.service).toContain('Environment="PATH=/usr/bin:/home/jo/bin"\n');
  expect(files.service).toMatch(/^Type=oneshot$/m);
  expect(files.service).toMatch(/^KillMode=process$/m);
});

test('the timer repeats it every minute', () => {
  expect(files.timer).toMatch(/^OnUnitInactiveSec=60$/m);
  expect(files.timer).toMatch(/^WantedBy=timers.target$/m);
});

test('the line for cron quotes what a shell or cron would read otherwise', () => {
  expect(files.cronLine).toBe(
    String.raw`* * * * * PATH=/usr/bin:/home/jo/bin /usr/bin/node '/opt/sea trial/seatrial.js' up --resume --project '/home/jo/my 100\% '\''demo'\''' >/dev/null 2>&1`,
  );
});

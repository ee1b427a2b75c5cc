import { appendFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linkPodLogs } from './pod-logs.ts';

let directory: string;
let podLogs: string;
let kept: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'florin-pod-logs-'));
  [podLogs, kept] = [join(directory, 'pods'), join(directory, 'kept')];
  mkdirSync(join(podLogs, 'pod-1/main'), { recursive: true });
  writeFileSync(join(podLogs, 'pod-1/main/0.log'), 'started\n');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const keptTexts = (): string[] =>
  globSync('*/*.log', { cwd: kept })
    .map((name) => readFileSync(join(kept, name), 'utf8'))
    .sort();

it('keeps what a pod has written until it was deleted', () => {
  linkPodLogs(podLogs, kept);
  appendFileSync(join(podLogs, 'pod-1/main/0.log'), 'stopping\n');
  linkPodLogs(podLogs, kept);
  rmSync(join(podLogs, 'pod-1'), { recursive: true });
  linkPodLogs(podLogs, kept);
  expect(keptTexts()).toEqual(['started\nstopping\n']);
});

it('keeps a log that was rotated beside the one that follows it', () => {
  linkPodLogs(podLogs, kept);
  renameSync(join(podLogs, 'pod-1/main/0.log'), join(podLogs, 'pod-1/main/0.log.20261122'));
  writeFileSync(join(podLogs, 'pod-1/main/0.log'), 'later\n');
  linkPodLogs(podLogs, kept);
  expect(keptTexts()).toEqual(['later\n', 'started\n']);
});

import { loadConfig } from '@florin/rpc/config';
import { runMain } from '@florin/rpc/process';
import { createApp } from './app.ts';
import { configShape } from './config.ts';

await runMain('settlement', (env) => createApp(loadConfig(configShape, env)));

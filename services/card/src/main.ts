import { loadConfig } from '@florin/kit/config';
import { runMain } from '@florin/kit/process';
import { createApp } from './app.ts';
import { configShape } from './config.ts';

await runMain('card', (env) => createApp(loadConfig(configShape, env)));

import { loadConfig } from '@florin/rpc/config';
import { runMain } from '@florin/rpc/process';
import { webhooksShape } from '../config.ts';
import { createWebhooksApp } from './app.ts';

await runMain('webhooks', (env) => createWebhooksApp(loadConfig(webhooksShape, env)));

import { bundleScript } from '../../deploy/image/src/bundle-script.ts';

export const LEAVE_PAGE = 'gateway/client/offline/leave.html';

const SHELL = (script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src https: http://127.0.0.1:* http://localhost:*">
<title>Leave without the platform</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
textarea, input { box-sizing: border-box; width: 100%; font: 0.9rem/1.4 monospace; margin-bottom: 1rem; }
pre { overflow-wrap: anywhere; white-space: pre-wrap; background: #eee; color: #000; padding: 0.5rem; }
</style>
</head>
<body>
<h1>Leave without the platform</h1>
<p>Save this page and your account's file. With both, your wallet and a node of the chain you take your account over, whether the platform is there or not. Your wallet pays
for the transactions in the chain's own coin.</p>
<label for="file">Your account's file</label>
<textarea id="file" rows="8" spellcheck="false"></textarea>
<label for="node">URL of a node (empty: the one of your wallet)</label>
<input id="node" type="url" spellcheck="false">
<button id="look" type="button">What is next?</button>
<p id="step" role="status"></p>
<div id="moving" hidden>
<label for="to">To this address</label>
<input id="to" spellcheck="false">
<label for="tokens">Other tokens, by their contracts</label>
<input id="tokens" spellcheck="false">
<button id="move" type="button">Move everything</button>
</div>
<pre id="transaction"></pre>
<button id="send" type="button" hidden>Send with your wallet</button>
<script type="module">
${script}
</script>
</body>
</html>
`;

/** The page with which a person leaves without the platform: one file, which loads nothing. */
export const leavePage = async (): Promise<string> =>
  SHELL((await bundleScript('gateway/client/src/viem/leave-page.ts', 'browser')).trim());

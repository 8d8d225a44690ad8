/** The page for a request without the token: where the token is, and how to use it. */
export function loginPage(options: { tokenPath: string; isWrongToken: boolean }): string {
  const found = options.isWrongToken
    ? 'The token in this address does not belong to this Joblens.'
    : 'This page asks for a token.';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Joblens: token needed</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 12vh auto; padding: 0 1rem }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
</style></head><body>
<h1>Joblens</h1>
<p>${found} Others on this machine can reach this port too, so only who knows the token gets in.</p>
<p>Open the address that <code>npm start</code> printed, which has the token in it,
or put the token here; it is in the file <code>${escapeHtml(options.tokenPath)}</code>.</p>
<form action="/" method="get"><input name="token" type="password" aria-label="Token" autocomplete="off" required>
<button>Open</button></form>
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Shown to whoever comes without a session. No script, no style: the policy allows neither inline. */
export const signInPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Swath: open with a new address</title></head>
<body>
<h1>This address has been used, or it is not complete</h1>
<p>The address that Swath prints when it starts opens one browser, once. This browser is not the one.</p>
<p>Each time an address was used, Swath prints a new one: look in the terminal where it is running.</p>
<p>If Swath is open in another tab of this browser, reload this page.</p>
</body>
</html>
`;

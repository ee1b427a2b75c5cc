/** URLs are relative, so that the page works behind a path prefix. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>User Service</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<p class="links"><a href="docs/guides">Guides</a> <a href="docs/errors">Error codes</a> <a href="openapi.json">OpenAPI document</a></p>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Links above the reference, in its light and dark colours. The column of links, of which the document has none, would not fit on a phone. */
export const DOCS_STYLE = `.links { display: flex; flex-wrap: wrap; gap: 1rem; max-width: 1460px; margin: 0 auto; padding: 1rem 20px 0; font-family: sans-serif; }
html.dark-mode .links a { color: #8ab4f8; }
.swagger-ui .response-col_links { display: none; }
`;

/** Starts the reference. Swagger UI has dark colours, and leaves it to the page to choose them. */
export const DOCS_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
`;

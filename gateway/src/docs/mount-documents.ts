import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import type { Deployment } from '../http/define-route.ts';
import { mountPath } from '../http/mount.ts';
import type { Registry } from '../http/registry.ts';
import { DOCS_PAGE, DOCS_SCRIPT, DOCS_STYLE } from './docs-page.ts';
import { createErrorCatalogue } from './errors/catalogue.ts';
import { createErrorsPage } from './errors/errors-page.ts';
import { createGuidePage, createGuidesIndex, GUIDES_STYLE } from './guides/guide-page.ts';
import { readGuides } from './guides/guides.ts';
import { createOpenApiDocument } from './openapi.ts';

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files of swagger-ui-dist that the page uses. No others are served. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const CACHE_SECONDS = 3600;

/** Swagger UI sets inline styles and embeds images; scripts load from this origin only. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** Guides and the error catalogue are text with a stylesheet. */
const TEXT_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'";

const send =
  (type: string, body: string, policy: string = TEXT_POLICY): RequestHandler =>
  (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=60');
    response.setHeader('Content-Security-Policy', policy);
    response.type(type).send(body);
  };

/**
 * Serves the OpenAPI document at /openapi.json with a reference page at /docs, to which / leads, the guides at /docs/guides, and the error codes
 * at /errors and /docs/errors.
 */
export const mountDocuments = (app: Express, registry: Registry, support: Deployment['support']): void => {
  const catalogue = createErrorCatalogue(registry);
  const mount = (path: string, handler: RequestHandler) => mountPath(app, path, { get: handler });
  mount('/openapi.json', send('application/json', JSON.stringify(createOpenApiDocument(registry, support))));
  const sendCatalogue = send('application/json', JSON.stringify({ errors: catalogue }));
  mount('/errors', (request, response, next) => {
    response.vary('Accept');
    // Errors link to `/errors#CODE`. A browser keeps the fragment and ends at the entry on the page.
    if (request.accepts(['json', 'html']) === 'html') response.redirect('docs/errors');
    else sendCatalogue(request, response, next);
  });
  mount('/', (_request, response) => response.redirect('docs'));
  mount('/docs/errors', send('text/html', createErrorsPage(catalogue)));
  mount('/docs', send('text/html', DOCS_PAGE, DOCS_POLICY));
  mount('/docs/reference.css', send('text/css', DOCS_STYLE));
  mount('/docs/guides.css', send('text/css', GUIDES_STYLE));
  const guides = readGuides();
  mount('/docs/guides', send('text/html', createGuidesIndex(guides)));
  for (const guide of guides) mount(`/docs/guides/${guide.name}`, send('text/html', createGuidePage(guide, guides)));
  mount('/docs/start.js', send('text/javascript', DOCS_SCRIPT));
  const files = express.static(assets, { index: false, redirect: false, dotfiles: 'ignore', maxAge: CACHE_SECONDS * 1000 });
  for (const name of ASSETS) {
    mount(`/docs/${name}`, (request, response, next) => {
      request.url = `/${name}`;
      files(request, response, next);
    });
  }
};

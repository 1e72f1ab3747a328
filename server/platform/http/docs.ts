import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { type OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { pagePolicy } from '#server/platform/http/headers.ts'
import { type ApiTags, openApiDocument } from '#server/platform/http/openapi.ts'

const FILES = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Alder API</title>
    <link rel="icon" href="/api/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script>SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })</script>
  </body>
</html>
`

/**
 * Serves the OpenAPI document at /api/openapi.json, and a page to read and try the API at /api/docs. All files of the page come
 * from this server. `tags`: the descriptions of the parts of the API.
 */
export function docsRoutes(api: OpenAPIHono<ApiEnv>, tags: ApiTags): Hono<ApiEnv> {
  let document: string | undefined
  const file = serveStatic<ApiEnv>({
    root: FILES,
    rewriteRequestPath: (path) => path.replace('/api/docs', ''),
    onFound: (_path, c) => c.header('cache-control', 'no-cache'),
  })
  return new Hono<ApiEnv>()
    .use('/api/openapi.json', compress(), etag())
    .use('/api/docs/*', compress(), etag())
    .get('/api/openapi.json', (c) => {
      document ??= JSON.stringify(openApiDocument(api, tags))
      return c.body(document, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
    })
    .get('/api/docs', (c) =>
      c.html(PAGE, 200, { 'cache-control': 'no-cache', 'content-security-policy': pagePolicy(PAGE) }),
    )
    .get('/api/docs/:file{(swagger-ui-bundle\\.js|swagger-ui\\.css|favicon-32x32\\.png)}', file)
}

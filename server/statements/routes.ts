import { z } from '@hono/zod-openapi'
import {
  importList,
  importPreview,
  importRequest,
  importResult,
  statementAccounts,
  statementFileQuery,
  statementRange,
  statementSummary,
} from '#contract/statements.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Deps } from '#server/platform/deps.ts'
import { answers, body, done } from '#server/platform/http/described.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { recipientOf } from '#server/platform/http/recipient.ts'
import { makeStatement, MEDIA_TYPES } from '#server/statements/formats/files.ts'
import { importFile, listImports, previewImport, removeImport } from '#server/statements/imports/imports.ts'
import { importedMonths } from '#server/statements/imports/spending.ts'
import { statedAccounts } from '#server/statements/reading/accounts.ts'
import { joinedOn } from '#server/statements/reading/joined.ts'
import { summarise } from '#server/statements/reading/statement.ts'

const tags = ['Statements']

/** Files of one customer in an hour, both ways. */
const DOWNLOADS = { name: 'statement', points: 240, seconds: 60 * 60 }
const IMPORTS = { name: 'import', points: 240, seconds: 60 * 60 }

const binary = { schema: z.string().openapi({ type: 'string', format: 'binary' }) }

const getAccounts = defineRoute({
  method: 'get',
  path: '/statements',
  summary: 'What you have statements of',
  tags,
  responses: answers('As of now', statementAccounts),
})

const getSummary = defineRoute({
  method: 'get',
  path: '/statements/{id}',
  summary: 'What a statement comes to',
  description: 'The id is `current`, or that of a card with money of its own.',
  tags,
  request: { params: idParam, query: statementRange },
  responses: answers('Up to now', statementSummary),
})

const getFile = ({ limiters }: Pick<Deps, 'limiters'>) =>
  defineRoute({
    method: 'get',
    path: '/statements/{id}/file',
    needs: { load: 'slow' },
    summary: 'A statement to keep',
    description:
      'Whole days, 366 at most, none of them after today, with 10,000 transactions at most: a PDF in your language, CSV, OFX 2.1.1, or camt.053.001.08 of ISO 20022.',
    tags,
    middleware: limitByCustomer({ limiters }, DOWNLOADS),
    request: { params: idParam, query: statementFileQuery },
    responses: {
      200: {
        description: 'The file',
        content: {
          'application/pdf': binary,
          'text/csv': binary,
          'application/x-ofx': binary,
          'application/xml': binary,
        },
      },
    },
  })

const importRoutes = ({ limiters }: Pick<Deps, 'limiters'>) => {
  const middleware = limitByCustomer({ limiters }, IMPORTS)
  const postPreview = defineRoute({
    method: 'post',
    path: '/imports/preview',
    needs: { key: 'none', load: 'slow' },
    summary: "What importing another bank's statement would come to",
    description:
      'Nothing of it is kept. `content` is the file, a CSV, OFX or camt.052, 053 or 054 of up to 1 MB, in base64. `questions` lists what the bank cannot tell from the file: answer them with `mapping`, `dateFormat`, `decimalMark` or `alike`, or importing is refused.',
    tags,
    middleware,
    request: { body: body(importRequest) },
    responses: answers('What is in it', importPreview),
  })
  const postImport = defineRoute({
    method: 'post',
    path: '/imports',
    needs: { load: 'slow' },
    summary: "Import another bank's statement",
    description: 'Its payments count in your analytics and nowhere else. Those that you have already are left out.',
    tags,
    middleware,
    request: { body: body(importRequest) },
    responses: answers('How many payments it added', importResult),
  })
  return { postPreview, postImport }
}

const getImports = defineRoute({
  method: 'get',
  path: '/imports',
  summary: 'What you have imported, and what it says you spent',
  tags,
  responses: answers('Newest first', importList),
})

const deleteImport = defineRoute({
  method: 'delete',
  path: '/imports/{id}',
  summary: 'Forget an import',
  tags,
  request: { params: idParam },
  responses: done,
})

export function statementRoutes(deps: Pick<Deps, 'limiters'>) {
  const { postPreview, postImport } = importRoutes(deps)
  return router()
    .openapi(getAccounts, async (c) => {
      const [bank, customer] = [c.get('deps'), c.get('customer')]
      const [stated, since] = await Promise.all([statedAccounts(bank, customer), joinedOn(bank, customer.id)])
      const accounts = stated.map(({ accountId: _accountId, ...account }) => account)
      return c.json({ accounts, today: dayOf(bank.clock.businessNow()), since }, 200)
    })
    .openapi(getSummary, async (c) => {
      const asked = { accountId: c.req.valid('param').id, range: c.req.valid('query') }
      return c.json(await summarise(c.get('deps'), c.get('customer'), asked), 200)
    })
    .openapi(getFile(deps), async (c) => {
      const { format, csv, ...range } = c.req.valid('query')
      const asked = { accountId: c.req.valid('param').id, range, format, csv }
      const { content, name } = await makeStatement(c.get('deps'), c.get('customer'), asked, recipientOf(c))
      return c.body(content, 200, {
        'content-type': MEDIA_TYPES[format],
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      })
    })
    .openapi(postPreview, async (c) => {
      return c.json(await previewImport(c.get('deps'), c.get('customer'), c.req.valid('json'), recipientOf(c)), 200)
    })
    .openapi(postImport, async (c) => {
      const waiting = { key: c.get('key'), gone: recipientOf(c).gone }
      return c.json(await importFile(c.get('deps'), c.get('customer'), c.req.valid('json'), waiting), 200)
    })
    .openapi(getImports, async (c) => {
      const [bank, { id }] = [c.get('deps'), c.get('customer')]
      const [imports, months] = await Promise.all([listImports(bank, id), importedMonths(bank, id)])
      return c.json({ imports, months }, 200)
    })
    .openapi(deleteImport, async (c) => {
      await removeImport(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
      return c.body(null, 204)
    })
}

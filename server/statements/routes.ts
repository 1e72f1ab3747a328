import { dayOf } from '#server/calendar/zone.ts'
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
import { transactionsHeader } from '#contract/file-progress.ts'
import { MAX_IMPORT_BODY } from '#contract/statement-formats.ts'
import { limitByCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { recipientOf } from '#server/platform/http/response-recipient.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { makeAccountStatement, MEDIA_TYPES } from '#server/statements/formats/files.ts'
import { importFile, listImports, previewImport, removeImport } from '#server/statements/imports/imports.ts'
import { importedMonths } from '#server/statements/imports/spending.ts'
import { listStatementAccounts } from '#server/statements/reading/accounts.ts'
import { readJoiningDay } from '#server/statements/reading/joining-day.ts'
import { summarizeStatement } from '#server/statements/reading/statement.ts'
import { READING_REFUSALS } from '#server/statements/imports/imports.ts'
import { RANGE_REFUSALS } from '#server/statements/reading/range.ts'
import { binaryContent, sendFile } from '#server/platform/http/route-bodies.ts'

/** The limit of an import's body. It contains a file as JSON, so it is larger than other bodies. */
const IMPORT_LIMIT = { bytes: MAX_IMPORT_BODY, refusal: 'import_too_large' } as const
/** The number of files that one customer may download in an hour, and the number of previews and imports. */
const DOWNLOADS = { name: 'statement', points: 240, seconds: 60 * 60 }
const IMPORTS = { name: 'import', points: 240, seconds: 60 * 60 }

export const statementRoutes = routes('Statements')
  .get(
    '/statements',
    { summary: 'The accounts that have statements', response: statementAccounts, responseDescription: 'As of now' },
    async (c) => {
      const [bank, customer] = [await fromReplica(c.deps), c.customer]
      const [accountsWithIds, since] = await Promise.all([
        listStatementAccounts(bank, customer),
        readJoiningDay(bank, customer.id),
      ])
      const accounts = accountsWithIds.map(({ accountId: _accountId, ...account }) => account)
      return { accounts, today: dayOf(bank.clock.businessNow()), since }
    },
  )
  .get(
    '/statements/{id}',
    {
      refuses: [...RANGE_REFUSALS],
      summary: 'The totals of a statement',
      description: 'The id is `current`, or the id of a card that has its own balance.',
      query: statementRange,
      response: statementSummary,
      responseDescription: 'Up to now',
    },
    async (c) => {
      const request = { accountId: c.params.id, range: c.query }
      return await summarizeStatement(await fromReplica(c.deps), c.customer, request)
    },
  )
  .get(
    '/statements/{id}/file',
    {
      load: 'slow',
      refuses: ['statement_too_long', ...RANGE_REFUSALS],
      summary: 'Download a statement',
      description:
        'A statement covers whole days up to today: 366 days and 10,000 transactions at most. The format is a PDF in your language, CSV, OFX 2.1.1, or camt.053.001.08 of ISO 20022.',
      middleware: limitByCustomer(DOWNLOADS),
      query: statementFileQuery,
      responses: {
        200: {
          description: 'The file',
          content: {
            'application/pdf': binaryContent,
            'text/csv': binaryContent,
            'application/x-ofx': binaryContent,
            'application/xml': binaryContent,
          },
        },
      },
    },
    async (c) => {
      const { format, csv, ...range } = c.query
      const request = { accountId: c.params.id, range, format, csv }
      const deps = await fromReplica(c.deps)
      const { content, name, transactions } = await makeAccountStatement(deps, c.customer, request, recipientOf(c.http))
      return sendFile(c.http, {
        content,
        mediaType: MEDIA_TYPES[format],
        name,
        headers: transactionsHeader(transactions),
      })
    },
  )
  .post(
    '/imports/preview',
    {
      key: 'none',
      load: 'slow',
      refuses: [...READING_REFUSALS],
      summary: "Preview the import of another bank's statement",
      description:
        'Nothing is stored. `content` is the file in base64: a CSV, OFX or camt.052, 053 or 054 of up to 1 MB. `questions` lists the points that the file leaves open. Answer them with `mapping`, `dateFormat`, `decimalMark` or `alike`; otherwise the import is refused.',
      middleware: limitByCustomer(IMPORTS),
      body: importRequest,
      bodyLimit: IMPORT_LIMIT,
      response: importPreview,
      responseDescription: 'The content of the file',
    },
    (c) => previewImport(c.deps, c.customer, c.body, recipientOf(c.http)),
  )
  .post(
    '/imports',
    {
      load: 'slow',
      refuses: ['import_unsure', 'imports_full', ...READING_REFUSALS],
      summary: "Import another bank's statement",
      description: 'Its payments count only in your analytics. Payments that you already have are left out.',
      middleware: limitByCustomer(IMPORTS),
      body: importRequest,
      bodyLimit: IMPORT_LIMIT,
      response: importResult,
      responseDescription: 'The number of payments added',
    },
    async (c) => {
      const waiting = { key: c.key, gone: recipientOf(c.http).gone }
      return await importFile(c.deps, c.customer, c.body, waiting)
    },
  )
  .get(
    '/imports',
    {
      summary: 'Your imports, and the spending in them',
      response: importList,
      responseDescription: 'Newest first',
    },
    async (c) => {
      const [bank, { id }] = [c.deps, c.customer]
      const [imports, months] = await Promise.all([listImports(bank, id), importedMonths(bank, id)])
      return { imports, months }
    },
  )
  .delete('/imports/{id}', { summary: 'Delete an import' }, async (c) => {
    await removeImport(c.deps, c.customer.id, c.id)
  })

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
import { saysHowMany } from '#contract/file-progress.ts'
import { MAX_IMPORT_BODY } from '#contract/statement-formats.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { recipientOf } from '#server/platform/http/recipient.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { makeStatement, MEDIA_TYPES } from '#server/statements/formats/files.ts'
import { importFile, listImports, previewImport, removeImport } from '#server/statements/imports/imports.ts'
import { importedMonths } from '#server/statements/imports/spending.ts'
import { statedAccounts } from '#server/statements/reading/accounts.ts'
import { joinedOn } from '#server/statements/reading/joined.ts'
import { summarise } from '#server/statements/reading/statement.ts'
import { READING_REFUSALS } from '#server/statements/imports/imports.ts'
import { RANGE_REFUSALS } from '#server/statements/reading/range.ts'
import { binary, sendFile } from '#server/platform/http/described.ts'

/** A file within JSON is larger than other bodies. */
const IMPORT_LIMIT = { bytes: MAX_IMPORT_BODY, refusal: 'import_too_large' } as const
/** Files of one customer in an hour, both ways. */
const DOWNLOADS = { name: 'statement', points: 240, seconds: 60 * 60 }
const IMPORTS = { name: 'import', points: 240, seconds: 60 * 60 }

export const statementRoutes = routes('Statements')
  .get(
    '/statements',
    { summary: 'What you have statements of', response: statementAccounts, responseDescription: 'As of now' },
    async (c) => {
      const [bank, customer] = [await fromReplica(c.deps), c.customer]
      const [stated, since] = await Promise.all([statedAccounts(bank, customer), joinedOn(bank, customer.id)])
      const accounts = stated.map(({ accountId: _accountId, ...account }) => account)
      return { accounts, today: dayOf(bank.clock.businessNow()), since }
    },
  )
  .get(
    '/statements/{id}',
    {
      refuses: [...RANGE_REFUSALS],
      summary: 'What a statement comes to',
      description: 'The id is `current`, or that of a card with money of its own.',
      query: statementRange,
      response: statementSummary,
      responseDescription: 'Up to now',
    },
    async (c) => {
      const asked = { accountId: c.params.id, range: c.query }
      return await summarise(await fromReplica(c.deps), c.customer, asked)
    },
  )
  .get(
    '/statements/{id}/file',
    {
      load: 'slow',
      refuses: ['statement_too_long', ...RANGE_REFUSALS],
      summary: 'A statement to keep',
      description:
        'Whole days, 366 at most, none of them after today, with 10,000 transactions at most: a PDF in your language, CSV, OFX 2.1.1, or camt.053.001.08 of ISO 20022.',
      middleware: limitByCustomer(DOWNLOADS),
      query: statementFileQuery,
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
    },
    async (c) => {
      const { format, csv, ...range } = c.query
      const asked = { accountId: c.params.id, range, format, csv }
      const deps = await fromReplica(c.deps)
      const { content, name, transactions } = await makeStatement(deps, c.customer, asked, recipientOf(c.http))
      return sendFile(c.http, { content, mediaType: MEDIA_TYPES[format], name, headers: saysHowMany(transactions) })
    },
  )
  .post(
    '/imports/preview',
    {
      key: 'none',
      load: 'slow',
      refuses: [...READING_REFUSALS],
      summary: "What importing another bank's statement would come to",
      description:
        'Nothing of it is kept. `content` is the file, a CSV, OFX or camt.052, 053 or 054 of up to 1 MB, in base64. `questions` lists what the bank cannot tell from the file: answer them with `mapping`, `dateFormat`, `decimalMark` or `alike`, or importing is refused.',
      middleware: limitByCustomer(IMPORTS),
      body: importRequest,
      bodyLimit: IMPORT_LIMIT,
      response: importPreview,
      responseDescription: 'What is in it',
    },
    (c) => previewImport(c.deps, c.customer, c.body, recipientOf(c.http)),
  )
  .post(
    '/imports',
    {
      load: 'slow',
      refuses: ['import_unsure', 'imports_full', ...READING_REFUSALS],
      summary: "Import another bank's statement",
      description: 'Its payments count in your analytics and nowhere else. Those that you have already are left out.',
      middleware: limitByCustomer(IMPORTS),
      body: importRequest,
      bodyLimit: IMPORT_LIMIT,
      response: importResult,
      responseDescription: 'How many payments it added',
    },
    async (c) => {
      const waiting = { key: c.key, gone: recipientOf(c.http).gone }
      return await importFile(c.deps, c.customer, c.body, waiting)
    },
  )
  .get(
    '/imports',
    {
      summary: 'What you have imported, and what it says you spent',
      response: importList,
      responseDescription: 'Newest first',
    },
    async (c) => {
      const [bank, { id }] = [c.deps, c.customer]
      const [imports, months] = await Promise.all([listImports(bank, id), importedMonths(bank, id)])
      return { imports, months }
    },
  )
  .delete('/imports/{id}', { summary: 'Forget an import' }, async (c) => {
    await removeImport(c.deps, c.customer.id, c.id)
  })

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { PDF_MARK, TRANSACTIONS_HEADER } from '#contract/file-progress.ts'
import { ERRORS } from '#contract/errors.ts'
import { router } from '#web/app/routes.tsx'
import { expectAccessible } from '#web/test/accessible.ts'
import { open, press, toast } from '#web/test/app.tsx'
import { asked, bank, cutLine, later, mendLine } from '#web/test/bank.ts'

const bar = page.getByRole('progressbar')
const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel' })
const downloadPdf = page.getByRole('button', { name: /^Download PDF/ })

/** A file that comes as the test says, and whether anybody still wants it. */
function comingFile(headers: Record<string, string>) {
  let stream: ReadableStreamDefaultController<Uint8Array>
  const file = { isWanted: true, send: (text: string) => stream.enqueue(new TextEncoder().encode(text)) }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (stream = controller),
    cancel: () => void (file.isWanted = false),
  })
  const response = new Response(body, { headers: { 'content-type': 'application/pdf', ...headers } })
  return { file, response, end: () => stream.close(), fail: () => stream.error(new TypeError('network error')) }
}

/** The names of files that were saved on the device. */
function savedFiles(): string[] {
  const saved: string[] = []
  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLAnchorElement) || event.target.download === '') return
    event.preventDefault()
    saved.push(event.target.download)
  }
  // Links that are not in the page bubble nowhere.
  HTMLAnchorElement.prototype.click = function click() {
    this.addEventListener('click', onClick)
    this.dispatchEvent(new MouseEvent('click', { cancelable: true }))
  }
  return saved
}

const downloading = async (headers: Record<string, string> = { [TRANSACTIONS_HEADER]: '9900' }) => {
  const coming = comingFile(headers)
  const saved = savedFiles()
  bank.get('/statements/:id/file', () => coming.response as never)
  await open('/statements')
  await press(downloadPdf)
  return { ...coming, saved }
}

test('a download says how many of its transactions have come, and is saved once it is whole', async () => {
  const { file, end, saved } = await downloading()
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Waiting for the bank…')
  expect(bar.element().hasAttribute('aria-valuenow')).toBe(false)
  file.send(`%PDF-1.7${PDF_MARK.text.repeat(23)}${PDF_MARK.text.slice(0, 5)}`)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '1,150 of 9,900 transactions')
  // A mark that comes in two pieces counts once.
  await new Promise((done) => setTimeout(done, 120))
  file.send(`${PDF_MARK.text.slice(5)}rest`)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '1,200 of 9,900 transactions')
  await expect.element(bar).toHaveAttribute('aria-valuenow', String((1_200 / 9_900) * 100))
  await expectAccessible()
  end()
  await expect.element(bar).not.toBeInTheDocument()
  expect(saved).toEqual([expect.stringMatching(/\.pdf$/)])
})

test('where the bank says no total, only what has come is told', async () => {
  const { file, end } = await downloading({})
  file.send('x'.repeat(250_000))
  await expect.element(bar).toHaveAttribute('aria-valuetext', '250 kB received')
  expect(bar.element().hasAttribute('aria-valuenow')).toBe(false)
  end()
  await expect.element(bar).not.toBeInTheDocument()
})

test('a download that is cancelled ends at the bank, and leaves nothing on the device', async () => {
  const { file, saved } = await downloading()
  file.send('%PDF-1.7')
  await press(cancel)
  await expect.element(bar).not.toBeInTheDocument()
  await expect.poll(() => file.isWanted).toBe(false)
  expect(saved).toEqual([])
  await expect.element(downloadPdf).toBeEnabled()
})

test('a download that breaks off says so, and can be begun again', async () => {
  const { file, fail, saved } = await downloading()
  file.send('%PDF-1.7')
  fail()
  await expect.element(toast(ERRORS.unreachable.message)).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(saved).toEqual([])
})

test('leaving the screen stops a download, which is said', async () => {
  const { file } = await downloading()
  file.send('%PDF-1.7')
  await expect.element(bar).toBeVisible()
  await router.navigate('/dashboard')
  await expect.element(toast('The download was stopped')).toBeVisible()
  await expect.poll(() => file.isWanted).toBe(false)
})

const lines = (count: number) =>
  `Date,Name,Amount\n${Array.from({ length: count }, (_, n) => `2026-08-01,Shop ${n},-1.00\n`).join('')}`

/** What stands in for the network here tells nothing of what has gone out. */
async function choose(): Promise<void> {
  await open('/statements')
  const input = page.getByLabelText('A statement of another bank')
  await input.upload(new File([lines(10_000)], 'august.csv', { type: 'text/csv' }))
}

const PREVIEW = {
  format: 'csv' as const,
  encoding: 'utf-8' as const,
  isEncodingCertain: true,
  columns: [],
  mapping: null,
  dateFormat: null,
  decimalMark: null,
  spending: null,
  questions: [],
  count: 10_000,
  duplicates: 0,
  alike: 0,
  inMinor: 0,
  outMinor: 10_000_00,
  asset: 'USD' as const,
  skipped: 0,
  leftOut: [],
  firstOn: '2026-08-01',
  lastOn: '2026-08-01',
  payments: [],
}

test('a file on its way says how much of it has gone out, and can be stopped', async () => {
  const { promise } = Promise.withResolvers<void>()
  bank.post('/imports/preview', () => later(promise, PREVIEW))
  await choose()
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Sent 0 kB of 269 kB')
  await expectAccessible()
  await press(cancel)
  await expect.element(toast('Cancelled. Nothing was imported')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(page.getByRole('dialog').query()).toBeNull()
})

test('an import that is cancelled is withdrawn at the bank', async () => {
  const { promise } = Promise.withResolvers<void>()
  bank.post('/imports/preview', PREVIEW)
  bank.post('/imports', () => later(promise, { id: crypto.randomUUID(), added: 10_000, duplicates: 0 }))
  bank.post('/requests/:key/cancel', { carriedOut: false })
  await choose()
  const sheet = page.getByRole('dialog', { name: 'Check the import' })
  await press(sheet.getByRole('button', { name: 'Import 10,000 Payments' }))
  await expect.element(sheet.getByRole('progressbar')).toHaveAttribute('aria-valuetext', 'Sent 0 kB of 269 kB')
  await press(sheet.getByRole('button', { name: 'Cancel' }))
  await expect.element(toast('Cancelled. Nothing was imported')).toBeVisible()
  expect(asked.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
  await expect.element(sheet.getByRole('button', { name: 'Import 10,000 Payments' })).toBeEnabled()
})

test('without a line an import goes on once it is back, and nothing is lost', async () => {
  bank.post('/imports/preview', PREVIEW)
  bank.post('/imports', { id: crypto.randomUUID(), added: 10_000, duplicates: 0 })
  await choose()
  const sheet = page.getByRole('dialog', { name: 'Check the import' })
  await expect.element(sheet).toBeVisible()
  cutLine()
  await press(sheet.getByRole('button', { name: 'Import 10,000 Payments' }))
  await expect.element(toast("You're offline")).toBeVisible()
  mendLine()
  await expect.element(toast('10,000 payments imported')).toBeVisible()
})

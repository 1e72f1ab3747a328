import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { PDF_MARK, TRANSACTIONS_HEADER } from '#contract/file-progress.ts'
import { ERRORS } from '#contract/errors.ts'
import { router } from '#web/app/routes.tsx'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, cutConnection, delayedAnswer, restoreConnection } from '#web/test/bank.ts'

const bar = page.getByRole('progressbar')
const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel' })
const downloadPdf = page.getByRole('button', { name: /^Download PDF/ })

/** Returns a file whose content the test sends in parts, and whether the download was canceled. */
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

/** Returns the names of files that were saved on the device. */
function savedFiles(): string[] {
  const fileNames: string[] = []
  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLAnchorElement) || event.target.download === '') return
    event.preventDefault()
    fileNames.push(event.target.download)
  }
  // Events of links outside the page do not bubble, so each link gets its own listener.
  HTMLAnchorElement.prototype.click = function click() {
    this.addEventListener('click', onClick)
    this.dispatchEvent(new MouseEvent('click', { cancelable: true }))
  }
  return fileNames
}

const startDownload = async (headers: Record<string, string> = { [TRANSACTIONS_HEADER]: '9900' }) => {
  const comingResponse = comingFile(headers)
  const saved = savedFiles()
  bank.get('/statements/:id/file', () => comingResponse.response as never)
  await open('/statements')
  await pressByKey(downloadPdf)
  return { ...comingResponse, saved }
}

test('a download shows the number of loaded transactions, and is saved when it is complete', async () => {
  const { file, end, saved } = await startDownload()
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Waiting for the bank…')
  expect(bar.element().hasAttribute('aria-valuenow')).toBe(false)
  file.send(`%PDF-1.7${PDF_MARK.text.repeat(23)}${PDF_MARK.text.slice(0, 5)}`)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '1,150 of 9,900 transactions')
  // A progress mark that arrives in two parts counts once.
  await new Promise((resolve) => setTimeout(resolve, 120))
  file.send(`${PDF_MARK.text.slice(5)}rest`)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '1,200 of 9,900 transactions')
  await expect.element(bar).toHaveAttribute('aria-valuenow', String((1_200 / 9_900) * 100))
  await expectNoAxeViolations()
  end()
  await expect.element(bar).not.toBeInTheDocument()
  expect(saved).toEqual([expect.stringMatching(/\.pdf$/)])
})

test('without a total from the bank, only the loaded number is shown', async () => {
  const { file, end } = await startDownload({})
  file.send('x'.repeat(250_000))
  await expect.element(bar).toHaveAttribute('aria-valuetext', '250 kB received')
  expect(bar.element().hasAttribute('aria-valuenow')).toBe(false)
  end()
  await expect.element(bar).not.toBeInTheDocument()
})

test('a canceled download ends at the bank, and leaves no files on the device', async () => {
  const { file, saved } = await startDownload()
  file.send('%PDF-1.7')
  await pressByKey(cancel)
  await expect.element(bar).not.toBeInTheDocument()
  await expect.poll(() => file.isWanted).toBe(false)
  expect(saved).toEqual([])
  await expect.element(downloadPdf).toBeEnabled()
})

test('an interrupted download shows an error, and can be started again', async () => {
  const { file, fail, saved } = await startDownload()
  file.send('%PDF-1.7')
  fail()
  await expect.element(findToast(ERRORS.unreachable.message)).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(saved).toEqual([])
})

test('leaving the screen stops a download, with a message', async () => {
  const { file } = await startDownload()
  file.send('%PDF-1.7')
  await expect.element(bar).toBeVisible()
  await router.navigate('/dashboard')
  await expect.element(findToast('The download was stopped')).toBeVisible()
  await expect.poll(() => file.isWanted).toBe(false)
})

const lines = (count: number) =>
  `Date,Name,Amount\n${Array.from({ length: count }, (_, n) => `2026-08-01,Shop ${n},-1.00\n`).join('')}`

/** Chooses a large file. The mocked network reports no progress of the upload. */
async function choose(): Promise<void> {
  await open('/statements')
  const input = page.getByLabelText('A statement from another bank')
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

test('an upload shows its progress, and can be stopped', async () => {
  const { promise } = Promise.withResolvers<void>()
  bank.post('/imports/preview', () => delayedAnswer(promise, PREVIEW))
  await choose()
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Sent 0 kB of 269 kB')
  await expectNoAxeViolations()
  await pressByKey(cancel)
  await expect.element(findToast('Canceled. Nothing was imported')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(page.getByRole('dialog').query()).toBeNull()
})

test('a canceled import is withdrawn at the bank', async () => {
  const { promise } = Promise.withResolvers<void>()
  bank.post('/imports/preview', PREVIEW)
  bank.post('/imports', () => delayedAnswer(promise, { id: crypto.randomUUID(), added: 10_000, duplicates: 0 }))
  bank.post('/requests/:key/cancel', { carriedOut: false })
  await choose()
  const sheet = page.getByRole('dialog', { name: 'Check the import' })
  await pressByKey(sheet.getByRole('button', { name: 'Import 10,000 Payments' }))
  await expect.element(sheet.getByRole('progressbar')).toHaveAttribute('aria-valuetext', 'Sent 0 kB of 269 kB')
  await pressByKey(sheet.getByRole('button', { name: 'Cancel' }))
  await expect.element(findToast('Canceled. Nothing was imported')).toBeVisible()
  expect(recordedRequests.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
  await expect.element(sheet.getByRole('button', { name: 'Import 10,000 Payments' })).toBeEnabled()
})

test('an import that is interrupted offline continues when the connection is back, and no data is lost', async () => {
  bank.post('/imports/preview', PREVIEW)
  bank.post('/imports', { id: crypto.randomUUID(), added: 10_000, duplicates: 0 })
  await choose()
  const sheet = page.getByRole('dialog', { name: 'Check the import' })
  await expect.element(sheet).toBeVisible()
  cutConnection()
  await pressByKey(sheet.getByRole('button', { name: 'Import 10,000 Payments' }))
  await expect.element(findToast("You're offline")).toBeVisible()
  restoreConnection()
  await expect.element(findToast('10,000 payments imported')).toBeVisible()
})

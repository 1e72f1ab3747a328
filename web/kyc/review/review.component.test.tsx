import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import type { ReviewAct, ReviewCase } from '#contract/kyc.ts'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const DOCUMENTS: ReviewCase['documents'] = [
  { id: 'passport', step: 'id', type: 'passport', size: 1_000, uploadedAt: '2026-01-05T09:00:00.000Z' },
  { id: 'selfie', step: 'selfie', type: 'selfie', size: 1_000, uploadedAt: '2026-01-05T09:01:00.000Z' },
  { id: 'bill', step: 'address', type: 'utility_bill', size: 1_000, uploadedAt: '2026-01-05T09:02:00.000Z' },
]

/** A case that its reviewer has unlocked. */
const TOM: ReviewCase = {
  id: 'case-of-tom',
  fullName: 'Tom Twice',
  initials: 'TT',
  email: 'tom@example.com',
  phone: '+14155550123',
  dateOfBirth: '1990-05-17',
  address: '1 Old Lane',
  postcode: null,
  status: 'submitted',
  reason: null,
  submittedAt: '2026-01-05T09:03:00.000Z',
  documents: DOCUMENTS,
  digest: 'first',
  own: false,
  unlocked: true,
}

const OPENED: ReviewAct = {
  id: '1',
  act: 'open',
  reviewer: 'Rosa Reader',
  documentType: 'utility_bill',
  reason: null,
  at: '2026-01-05T10:00:00.000Z',
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name: new RegExp(name) })
const decision = page.getByRole('group', { name: 'Decision' })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const decisions = () => changeRequests().flatMap(({ path, json }) => (path.endsWith('/decisions') ? [json] : []))

/** Returns an image of 640 by 480 pixels. */
async function picture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(640, 480)
  canvas.getContext('2d')?.fillRect(0, 0, 320, 480)
  return canvas.convertToBlob({ type: 'image/jpeg' })
}

/** Opens a case from the mocked bank's queue. Returns a function that changes the case at the bank. */
async function openCase(reviewed: ReviewCase): Promise<(changed: Partial<ReviewCase>) => void> {
  let reviewedCase = reviewed
  const image = await picture()
  bank.get('/review/cases', () => ({ cases: reviewedCase.status === 'submitted' ? [reviewedCase] : [] }))
  bank.get('/review/cases/:id', () => reviewedCase)
  bank.get('/review/cases/:id/history', { acts: [OPENED] })
  bank.get(
    '/review/cases/:id/documents/:documentId',
    () => new Response(image, { headers: { 'content-type': 'image/jpeg' } }) as never,
  )
  await open('/review')
  await link(reviewedCase.email).click()
  await expect.element(page.getByRole('heading', { name: reviewedCase.fullName })).toBeVisible()
  return (changes) => void (reviewedCase = { ...reviewedCase, ...changes })
}

describe('the queue', () => {
  test('is visible to reviewers only', async () => {
    await open('/review')
    await expect.element(page.getByRole('heading', { name: ERRORS.page_not_found.message })).toBeVisible()
  })

  test('leads a reviewer without a second factor to its setup', async () => {
    bank.get('/review/cases', refusalAnswer('second_factor_required'))
    await open('/review')
    await expect.element(page.getByText('Set up a second factor')).toBeVisible()
    await link('Go to Security & Privacy').click()
    await expect.poll(readAddress).toBe('/security-privacy')
  })

  test('stays beside a case on a wide screen, and is replaced by it on a phone', async () => {
    await page.viewport(1280, 800)
    await openCase(TOM)
    await expect.element(link(TOM.email)).toBeVisible()
    await page.viewport(390, 844)
    await expect.element(page.getByText(TOM.email).first()).not.toBeVisible()
  })
})

test('a reviewer cannot decide their own case', async () => {
  await openCase({ ...TOM, own: true, unlocked: false })
  await expect.element(page.getByText(/someone else has to review it\./)).toBeVisible()
  expect(decision.query()).toBeNull()
  expect(page.getByRole('region', { name: 'Documents' }).query()).toBeNull()
})

describe('a case', () => {
  test('is locked until its reviewer opens it, and shows its documents then', async () => {
    const change = await openCase({ ...TOM, unlocked: false })
    const article = page.getByRole('article', { name: TOM.fullName })
    await expect.element(article).toMatchTextContent(TOM.email)
    expect(decision.query()).toBeNull()
    expect(recordedRequests.filter(({ path }) => path.includes('/documents/'))).toEqual([])
    bank.post('/review/cases/:id/unlock', () => {
      change({ unlocked: true })
      return TOM
    })
    await button('Open Documents').click()
    for (const name of ['Passport', 'Selfie', 'Utility Bill']) {
      const image = article.getByRole('img', { name, exact: true })
      await expect.element(image).toBeVisible()
      await expect.poll(() => (image.element() as HTMLImageElement).naturalWidth).toBe(640)
      await button(`Enlarge ${name}`).click()
      await expect.element(dialog(name).getByRole('img')).toBeVisible()
      await dialog(name).getByRole('button', { name: 'Close' }).click()
      await expect.element(dialog(name)).not.toBeInTheDocument()
    }
    page.getByText('History').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(article).toMatchTextContent('Rosa Reader opened Utility Bill')
  })

  test('is returned for new documents with a reason, which one touch fills in', async () => {
    await openCase(TOM)
    bank.post('/review/cases/:id/decisions', { ...TOM, status: 'again', reason: { code: 'expired' } })
    await button('Ask Again').click()
    const sheet = dialog(`Ask ${TOM.fullName} for new documents?`)
    await sheet.getByRole('button', { name: 'Ask Again' }).click()
    await expect.element(findToast(ERRORS.fields_missing.message)).toBeVisible()
    expect(decisions()).toEqual([])
    await sheet.getByRole('button', { name: 'The document has expired.' }).click()
    await sheet.getByRole('button', { name: 'Ask Again' }).click()
    await expect.element(findToast(`New documents requested from ${TOM.fullName}`)).toBeVisible()
    expect(decisions()).toEqual([{ decision: 'again', digest: 'first', reason: { code: 'expired' } }])
    await expect.poll(readAddress).toBe('/review')
  })

  test('is rejected with the reviewer’s own text', async () => {
    const change = await openCase(TOM)
    bank.post('/review/cases/:id/decisions', () => {
      change({ status: 'rejected' })
      return { ...TOM, status: 'rejected' as const, reason: 'The name is another one.' }
    })
    await button('Reject').click()
    const sheet = dialog(`Reject ${TOM.fullName}?`)
    await sheet.getByRole('textbox', { name: 'Reason' }).fill('The name is another one.')
    await sheet.getByRole('button', { name: 'Reject' }).click()
    await expect.element(findToast(`${TOM.fullName} rejected`)).toBeVisible()
    expect(decisions()).toEqual([{ decision: 'reject', digest: 'first', reason: 'The name is another one.' }])
    await expect.poll(readAddress).toBe('/review')
    await expect.element(link(TOM.email)).not.toBeInTheDocument()
  })

  test('that another reviewer has decided meanwhile shows this', async () => {
    const change = await openCase(TOM)
    bank.post('/review/cases/:id/decisions', () => {
      change({ status: 'approved' })
      return refusalAnswer('verification_decided')
    })
    await button('Approve').click()
    await dialog(/Approve/)
      .getByRole('button', { name: 'Approve' })
      .click()
    await expect.element(findToast(ERRORS.verification_decided.message)).toBeVisible()
    await expect.element(page.getByText('This case was approved.')).toBeVisible()
  })

  test('that changed while a reviewer viewed it is shown again, not decided', async () => {
    const change = await openCase(TOM)
    await button('Approve').click()
    bank.post('/review/cases/:id/decisions', ({ json }) => {
      if (json.digest === 'second') return { ...TOM, status: 'approved' as const }
      change({ address: '7 Elsewhere Lane', digest: 'second' })
      return refusalAnswer('verification_changed')
    })
    await dialog(/Approve/)
      .getByRole('button', { name: 'Approve' })
      .click()
    await expect.element(findToast(ERRORS.verification_changed.message)).toBeVisible()
    await expect.element(page.getByText('7 Elsewhere Lane')).toBeVisible()
    await button('Approve').click()
    await dialog(/Approve/)
      .getByRole('button', { name: 'Approve' })
      .click()
    await expect.element(findToast(`${TOM.fullName} approved`)).toBeVisible()
    expect(decisions()).toMatchObject([{ digest: 'first' }, { digest: 'second' }])
  })
})

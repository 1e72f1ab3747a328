import { expect, type Page } from '@playwright/test'
import { ERRORS } from '#contract/errors.ts'
import type { Kyc } from '#contract/kyc.ts'
import { expectAccessible } from './accessibility.ts'
import { ask, originOf, post, toast } from './bank.ts'
import { type ChosenFile, pdfFile, PHOTO_WIDTH, photoFile, READ } from './files.ts'
import { newcomer, person, type Person, reviewer, type Reviewer } from './live-people.ts'
import { test } from './live.ts'

test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()))
})

const status = async (page: Page) => (await ask<Kyc>(page, '/kyc')).status

/** Uploads a file of one's own for the step in view, by the one button there is. */
async function uploadOwn(page: Page, file: ChosenFile): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload Document' }).click()
  await (await choosing).setFiles(file)
}

/** Uploads a document for each step as a customer of a live bank does, and presses the button that hands them in. */
async function completeSteps({ page }: Person): Promise<void> {
  await page.goto('/kyc')
  for (const [title, file] of [
    ['Identity Document', await photoFile()],
    ['Take a Selfie', await photoFile()],
    ['Proof of Address', await pdfFile()],
  ] as const) {
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await uploadOwn(page, file)
    await expect(toast(page, `${title} uploaded successfully`)).toBeVisible(READ)
  }
  await page.getByRole('button', { name: 'Complete Verification' }).click()
}

/** Hands in documents as a customer does, and is back on the dashboard. */
async function handIn(customer: Person): Promise<void> {
  const { page } = customer
  await completeSteps(customer)
  await expect(toast(page, 'KYC verification submitted! Redirecting to dashboard...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard', { timeout: 10_000 })
}

/** A confirmed customer who has handed in documents, past the screen. */
async function applicant(...asked: Parameters<typeof person>): Promise<Person> {
  const made = await person(...asked)
  await sendDocuments(made.page)
  return made
}

/** Sends a document for each step and hands them in, as the page does. */
async function sendDocuments(page: Page): Promise<void> {
  const [photo, bill, origin] = [await photoFile(), await pdfFile(), await originOf(page)]
  for (const [step, type, { buffer, mimeType }] of [
    ['id', 'passport', photo],
    ['selfie', 'selfie', photo],
    ['address', 'utility_bill', bill],
  ] as const) {
    const headers = { origin, 'content-type': mimeType }
    const answer = await page.request.put(`/api/v1/kyc/documents/${step}?type=${type}`, { headers, data: buffer })
    expect(answer.status(), step).toBe(200)
  }
  await post(page, '/kyc/submission', {})
}

/** Opens a customer's case from the queue. */
async function openCase({ page }: Person, { fullName, email }: Person): Promise<void> {
  await page.goto('/review')
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: fullName })).toBeVisible()
}

/** Shows a second factor for the case on the screen, and waits for its documents. */
async function unlock({ page, nextCode }: Reviewer): Promise<void> {
  await page.getByRole('button', { name: 'Open Documents' }).click()
  await expect(page.getByRole('dialog')).toContainText('Open a case and its documents')
  await page.getByRole('textbox', { name: 'Code' }).fill(await nextCode())
  for (const name of ['Passport', 'Selfie', 'Utility Bill']) {
    await expect(page.getByRole('img', { name, exact: true })).toBeVisible()
  }
}

test('a customer whose email is not confirmed is asked to, is mailed the link again, and hands in after that', async ({
  browser,
  live,
}) => {
  const customer = await newcomer(browser, live, 'Una Unsure')
  const { page, email } = customer
  const first = await live.linkTo(email, 'Confirm')
  await completeSteps(customer)
  await expect(toast(page, ERRORS.email_unconfirmed.message)).toBeVisible()
  await expect.poll(() => live.linkTo(email, 'Confirm')).not.toBe(first)
  const other = await page.context().newPage()
  await other.goto(await live.linkTo(email, 'Confirm'))
  await other.getByRole('button', { name: 'Confirm' }).click()
  await expect(other).not.toHaveURL(/confirm-email/)
  await page.getByRole('button', { name: 'Complete Verification' }).click()
  await expect.poll(() => status(page)).toBe('submitted')
})

test('a customer hands in, is asked again, hands in anew and is approved', async ({ browser, live }) => {
  test.setTimeout(240_000)
  const customer = await person(browser, live, 'Ann Applicant')
  await customer.page.goto('/kyc')
  // Documents are one's own here: nothing stands in for them.
  await expect(customer.page.getByRole('button', { name: 'Choose a File' })).toHaveCount(0)
  await handIn(customer)
  expect(await status(customer.page)).toBe('submitted')
  await customer.page.goto('/kyc')
  await expect(customer.page.getByText("We're checking your documents")).toBeVisible()

  const desk = await reviewer(browser, live)
  await test.step('what is asked again needs a reason', async () => {
    await openCase(desk, customer)
    const { page } = desk
    const article = page.getByRole('article', { name: customer.fullName })
    await expect(article).toContainText(customer.email)
    await expect(page.getByRole('group', { name: 'Decision' })).toHaveCount(0)
    await unlock(desk)
    const picture = article.getByRole('img', { name: 'Passport' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(PHOTO_WIDTH)
    await page.getByRole('button', { name: 'Enlarge Passport' }).click()
    await expect(page.getByRole('dialog', { name: 'Passport' }).getByRole('img')).toBeVisible()
    await page.keyboard.press('Escape')
    // Of a PDF there is a picture like of any other document.
    await page.getByRole('button', { name: 'Enlarge Utility Bill' }).click()
    await expect(page.getByRole('dialog', { name: 'Utility Bill' }).getByRole('img')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByText('History').click()
    await expect(article).toContainText(`${desk.fullName} opened Utility Bill`)

    await page.getByRole('button', { name: 'Ask Again' }).click()
    const dialog = page.getByRole('dialog', { name: `Ask ${customer.fullName} for new documents?` })
    await dialog.getByRole('button', { name: 'Ask Again' }).click()
    await expect(toast(page, ERRORS.fields_missing.message)).toBeVisible()
    expect(await status(customer.page)).toBe('submitted')
    await dialog.getByRole('button', { name: 'The document has expired.' }).click()
    await dialog.getByRole('button', { name: 'Ask Again' }).click()
    await expect(toast(page, `${customer.fullName} asked for new documents`)).toBeVisible()
    await expect(page).toHaveURL('/review')
    await expect(page.getByRole('link', { name: customer.email })).toHaveCount(0)
  })

  await test.step('the customer reads why at once, and hands in anew', async () => {
    await expect(customer.page.getByRole('heading', { name: 'We need new documents' })).toBeVisible()
    await expect(customer.page.getByRole('main').getByText('The document has expired.')).toBeVisible()
    expect((await live.mailTo(customer.email, 'New documents')).text).toContain('The document has expired.')
    await handIn(customer)
    await customer.page.goto('/kyc')
  })

  await test.step('and is approved', async () => {
    // The second factor still counts for this case.
    await openCase(desk, customer)
    await expect(desk.page.getByRole('img', { name: 'Passport', exact: true })).toBeVisible()
    await expect(desk.page.getByRole('img', { name: 'Selfie', exact: true })).toBeVisible()
    await expect(desk.page.getByRole('img', { name: 'Utility Bill', exact: true })).toBeVisible()
    await desk.page.getByRole('button', { name: 'Approve' }).click()
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(toast(desk.page, `${customer.fullName} approved`)).toBeVisible()
    await expect(customer.page.getByText("You're verified")).toBeVisible()
    expect(await status(customer.page)).toBe('approved')
  })
})

test('a customer who is rejected reads why, and can hand in nothing more', async ({ browser, live }) => {
  test.setTimeout(90_000)
  const customer = await applicant(browser, live, 'Ned Nobody')
  const desk = await reviewer(browser, live)
  await openCase(desk, customer)
  await unlock(desk)
  await desk.page.getByRole('button', { name: 'Reject' }).click()
  const dialog = desk.page.getByRole('dialog', { name: `Reject ${customer.fullName}?` })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The name is another one.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(desk.page, `${customer.fullName} rejected`)).toBeVisible()
  await customer.page.goto('/kyc')
  await expect(customer.page.getByRole('heading', { name: "We couldn't verify your identity" })).toBeVisible()
  await expect(customer.page.getByText('The name is another one.')).toBeVisible()
  await expect(customer.page.getByRole('button', { name: 'Upload Document' })).toHaveCount(0)
  expect(await status(customer.page)).toBe('rejected')
})

test('two reviewers: nobody decides their own case, and only one decides a case', async ({ browser, live }) => {
  test.setTimeout(240_000)
  const own = await reviewer(browser, live, { viewport: { width: 1280, height: 800 } })
  await sendDocuments(own.page)
  await openCase(own, own)
  await expect(own.page.getByText('someone else has to review it.')).toBeVisible()
  await expect(own.page.getByRole('group', { name: 'Decision' })).toHaveCount(0)
  await expect(own.page.getByRole('region', { name: 'Documents' })).toHaveCount(0)

  const customer = await applicant(browser, live, 'Tom Twice')
  const other = await reviewer(browser, live)
  await openCase(own, customer)
  // On a wide screen the queue stays beside the case.
  await expect(own.page.getByRole('link', { name: own.email })).toBeVisible()
  await unlock(own)
  await openCase(other, customer)
  await unlock(other)
  await expect(other.page.getByRole('link', { name: own.email })).toBeHidden()
  for (const { page } of [own, other]) await page.getByRole('button', { name: 'Approve' }).click()
  await own.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toast(own.page, `${customer.fullName} approved`)).toBeVisible()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toast(other.page, ERRORS.verification_decided.message)).toBeVisible()
  await expect(other.page.getByText('This case was approved.')).toBeVisible()
  expect(await status(customer.page)).toBe('approved')
  await live.proveBooks()
})

test('a case that changed while a reviewer looked at it is shown anew, not decided', async ({ browser, live }) => {
  test.setTimeout(90_000)
  const customer = await applicant(browser, live, 'Cora Changes')
  const desk = await reviewer(browser, live)
  await openCase(desk, customer)
  await unlock(desk)
  await desk.page.getByRole('button', { name: 'Approve' }).click()
  await customer.page.request.patch('/api/v1/profile', {
    headers: { origin: live.url },
    data: { address: '7 Elsewhere Lane' },
  })
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toast(desk.page, ERRORS.verification_changed.message)).toBeVisible()
  await expect(desk.page.getByText('7 Elsewhere Lane')).toBeVisible()
  expect(await status(customer.page)).toBe('submitted')
  await desk.page.getByRole('button', { name: 'Approve' }).click()
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toast(desk.page, `${customer.fullName} approved`)).toBeVisible()
})

test('a reviewer without a second factor is led to where it is set up', async ({ browser, live }) => {
  const bare = await person(browser, live, 'Rolf Reader')
  await live.makeReviewer(bare.email)
  await bare.page.goto('/review')
  await expect(bare.page.getByText('Set up a second factor')).toBeVisible()
  await bare.page.getByRole('link', { name: 'Go to Security & Privacy' }).click()
  await expect(bare.page).toHaveURL('/security-privacy')
})

test('only a reviewer has anything to review', async ({ browser, live }) => {
  const { page } = await person(browser, live, 'Curt Curious')
  await page.goto('/review')
  await expect(page.getByRole('heading', { name: ERRORS.page_not_found.message })).toBeVisible()
})

test('every state is without violations, light and dark', async ({ browser, live }) => {
  test.setTimeout(240_000)
  const options = { reducedMotion: 'reduce' } as const
  const check = (page: Page) => expectAccessible(page)
  const customer = await person(browser, live, 'Alma Axe', options)
  await customer.page.goto('/kyc')
  await expect(customer.page.getByRole('button', { name: 'Upload Document' })).toBeVisible()
  await check(customer.page)
  await sendDocuments(customer.page)
  await customer.page.goto('/kyc')
  await expect(customer.page.getByText("We're checking your documents")).toBeVisible()
  await check(customer.page)

  const desk = await reviewer(browser, live, options)
  await desk.page.goto('/review')
  await expect(desk.page.getByRole('link', { name: customer.email })).toBeVisible()
  await check(desk.page)
  await openCase(desk, customer)
  await expect(desk.page.getByRole('button', { name: 'Open Documents' })).toBeVisible()
  await check(desk.page)
  await unlock(desk)
  await check(desk.page)
  await desk.page.getByRole('button', { name: 'Enlarge Selfie' }).click()
  await expect(desk.page.getByRole('dialog', { name: 'Selfie' }).getByRole('img')).toBeVisible()
  await check(desk.page)
  await desk.page.keyboard.press('Escape')
  await desk.page.getByRole('button', { name: 'Reject' }).click()
  const dialog = desk.page.getByRole('dialog', { name: `Reject ${customer.fullName}?` })
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await check(desk.page)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The name is another one.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(desk.page, `${customer.fullName} rejected`)).toBeVisible()
  await expect(customer.page.getByRole('heading', { name: "We couldn't verify your identity" })).toBeVisible()
  await check(customer.page)
})

import { expect, type Page } from '@playwright/test'
import { ERRORS } from '#contract/errors.ts'
import type { Kyc } from '#contract/kyc.ts'
import { expectAccessible } from './accessibility.ts'
import { readFromBank, originOf, postToBank, findToast } from './bank.ts'
import { type ChosenFile, pdfFile, PHOTO_WIDTH, photoFile, FILE_READ } from './files.ts'
import { createLiveCustomer, type LiveCustomer, createLiveReviewer, type LiveReviewer } from './live-mode-people.ts'
import { test } from './live-mode.ts'

test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()))
})

const status = async (page: Page) => (await readFromBank<Kyc>(page, '/kyc')).status

/** Uploads a file for the current step with the only button there. */
async function uploadOwn(page: Page, file: ChosenFile): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload Document' }).click()
  await (await choosing).setFiles(file)
}

/** Uploads a document for each step as a customer of a live bank does, and presses the button that submits them. */
async function completeSteps({ page }: LiveCustomer): Promise<void> {
  await page.goto('/kyc')
  for (const [title, file] of [
    ['Identity Document', await photoFile()],
    ['Take a Selfie', await photoFile()],
    ['Proof of Address', await pdfFile()],
  ] as const) {
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await uploadOwn(page, file)
    await expect(findToast(page, `${title} uploaded successfully`)).toBeVisible(FILE_READ)
  }
  await page.getByRole('button', { name: 'Complete Verification' }).click()
}

/** Submits documents as a customer does, and waits for the dashboard. */
async function handIn(customer: LiveCustomer): Promise<void> {
  const { page } = customer
  await completeSteps(customer)
  await expect(findToast(page, 'KYC verification submitted! Redirecting to dashboard...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
}

/** Sends a document for each step and submits them, as the page does. */
async function sendDocuments(page: Page): Promise<void> {
  const [photo, bill, origin] = [await photoFile(), await pdfFile(), await originOf(page)]
  for (const [step, type, { buffer, mimeType }] of [
    ['id', 'passport', photo],
    ['selfie', 'selfie', photo],
    ['address', 'utility_bill', bill],
  ] as const) {
    const headers = { origin, 'content-type': mimeType }
    const answer = await page.request.put(`/api/v1/kyc/steps/${step}/document?type=${type}`, { headers, data: buffer })
    expect(answer.status(), step).toBe(200)
  }
  await postToBank(page, '/kyc/submission', {})
}

/** Opens a customer's case from the queue. */
async function openCase({ page }: LiveCustomer, { fullName, email }: LiveCustomer): Promise<void> {
  await page.goto('/review')
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: fullName })).toBeVisible()
}

/** Gives a second factor for the case on the screen, and waits for its documents. */
async function unlock({ page, nextCode }: LiveReviewer): Promise<void> {
  await page.getByRole('button', { name: 'Open Documents' }).click()
  await expect(page.getByRole('dialog')).toContainText('Open a case and its documents')
  await page.getByRole('textbox', { name: 'Code' }).fill(await nextCode())
  for (const name of ['Passport', 'Selfie', 'Utility Bill']) {
    await expect(page.getByRole('img', { name, exact: true })).toBeVisible()
  }
}

test('a customer submits documents, gets a request for others, submits again and is approved', async ({
  browser,
  live,
}) => {
  test.setTimeout(240_000)
  const customer = await createLiveCustomer(browser, live, 'Ann Applicant')
  await customer.page.goto('/kyc')
  // A live bank has no specimens, so customers upload their own documents.
  await expect(customer.page.getByRole('button', { name: 'Choose a File' })).toHaveCount(0)
  await handIn(customer)
  expect(await status(customer.page)).toBe('submitted')
  await customer.page.goto('/kyc')
  await expect(customer.page.getByText("We're checking your documents")).toBeVisible()

  const desk = await createLiveReviewer(browser, live)
  await test.step('a request for other documents needs a reason', async () => {
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
    // A PDF has a picture, as any other document does.
    await page.getByRole('button', { name: 'Enlarge Utility Bill' }).click()
    await expect(page.getByRole('dialog', { name: 'Utility Bill' }).getByRole('img')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByText('History').click()
    await expect(article).toContainText(`${desk.fullName} opened Utility Bill`)

    await page.getByRole('button', { name: 'Ask Again' }).click()
    const dialog = page.getByRole('dialog', { name: `Ask ${customer.fullName} for new documents?` })
    await dialog.getByRole('button', { name: 'Ask Again' }).click()
    await expect(findToast(page, ERRORS.fields_missing.message)).toBeVisible()
    expect(await status(customer.page)).toBe('submitted')
    await dialog.getByRole('button', { name: 'The document has expired.' }).click()
    await dialog.getByRole('button', { name: 'Ask Again' }).click()
    await expect(findToast(page, `New documents requested from ${customer.fullName}`)).toBeVisible()
    await expect(page).toHaveURL('/review')
    await expect(page.getByRole('link', { name: customer.email })).toHaveCount(0)
  })

  await test.step('the customer sees the reason at once, and submits again', async () => {
    await expect(customer.page.getByRole('heading', { name: 'We need new documents' })).toBeVisible()
    await expect(customer.page.getByRole('main').getByText('The document has expired.')).toBeVisible()
    expect((await live.mailTo(customer.email, 'New documents')).text).toContain('The document has expired.')
    await handIn(customer)
    await customer.page.goto('/kyc')
  })

  await test.step('the customer is approved', async () => {
    // The second factor is still valid for this case.
    await openCase(desk, customer)
    await expect(desk.page.getByRole('img', { name: 'Passport', exact: true })).toBeVisible()
    await expect(desk.page.getByRole('img', { name: 'Selfie', exact: true })).toBeVisible()
    await expect(desk.page.getByRole('img', { name: 'Utility Bill', exact: true })).toBeVisible()
    await desk.page.getByRole('button', { name: 'Approve' }).click()
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(findToast(desk.page, `${customer.fullName} approved`)).toBeVisible()
    await expect(customer.page.getByText("You're verified")).toBeVisible()
    expect(await status(customer.page)).toBe('approved')
  })
})

test('every state has no violations, light and dark', async ({ browser, live }) => {
  test.setTimeout(240_000)
  const options = { reducedMotion: 'reduce' } as const
  const check = (page: Page) => expectAccessible(page)
  const customer = await createLiveCustomer(browser, live, 'Alma Axe', options)
  await customer.page.goto('/kyc')
  await expect(customer.page.getByRole('button', { name: 'Upload Document' })).toBeVisible()
  await check(customer.page)
  await sendDocuments(customer.page)
  await customer.page.goto('/kyc')
  await expect(customer.page.getByText("We're checking your documents")).toBeVisible()
  await check(customer.page)

  const desk = await createLiveReviewer(browser, live, options)
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
  await expect(findToast(desk.page, `${customer.fullName} rejected`)).toBeVisible()
  await expect(customer.page.getByRole('heading', { name: "We couldn't verify your identity" })).toBeVisible()
  await check(customer.page)
})

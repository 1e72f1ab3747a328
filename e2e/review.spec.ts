import { expect, type Page } from '@playwright/test'
import { ERRORS } from '#contract/errors.ts'
import type { Kyc } from '#contract/kyc.ts'
import { expectAccessible } from './accessibility.ts'
import { ask, originOf, post, toast } from './bank.ts'
import { type ChosenFile, pdfFile, PHOTO_WIDTH, photoFile, READ } from './files.ts'
import { person, type Person, reviewer, type Reviewer } from './live-people.ts'
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
  await expect(page).toHaveURL('/dashboard')
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
    const answer = await page.request.put(`/api/v1/kyc/steps/${step}/document?type=${type}`, { headers, data: buffer })
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

import { expect, type Page, test } from '@playwright/test'
import type { Kyc } from '#contract/kyc.ts'
import { expectAccessible } from './accessibility.ts'
import { readFromBank, findToast } from './bank.ts'
import { type ChosenFile, PHOTO_WIDTH, photoFile, FILE_READ } from './files.ts'

const TITLES = ['Identity Document', 'Take a Selfie', 'Proof of Address'] as const

const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload Document' })
const completeButton = (page: Page) => page.getByRole('button', { name: 'Complete Verification' })
const step = (page: Page, title: string) => page.getByRole('heading', { name: title })
const line = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const documents = async (page: Page) => (await readFromBank<Kyc>(page, '/kyc')).documents

/** Opens the screen on its first step. */
async function begin(page: Page): Promise<void> {
  await page.goto('/kyc')
  // The first visit creates a customer with eight months of transactions.
  await expect(step(page, 'Identity Document')).toBeVisible({ timeout: 45_000 })
}

/**
 * Returns the time at which the bank's next response from an address was complete, in milliseconds. Delays of screens are
 * measured from then.
 */
async function answeredAt(page: Page, address: string): Promise<number> {
  const answer = await page.waitForResponse(address)
  await answer.finished()
  const { startTime, responseEnd } = answer.request().timing()
  return startTime + responseEnd
}

/** Chooses a file for the current step. */
async function choose(page: Page, file: ChosenFile): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a File' }).click()
  await (await choosing).setFiles(file)
}

/** Completes all steps with specimens. */
async function uploadAll(page: Page): Promise<void> {
  for (const [index, title] of TITLES.entries()) {
    await expect(step(page, title)).toBeVisible()
    await uploadButton(page).click()
    await expect(findToast(page, `${title} uploaded successfully`)).toBeVisible(FILE_READ)
    await expect(line(page, title)).toContainText('Completed')
    expect(await documents(page)).toHaveLength(index + 1)
  }
}

test('has three steps with one touch each, and leads to Home', async ({ page }) => {
  await begin(page)
  for (const title of TITLES) await expect(line(page, title)).toContainText('Pending')

  for (const [index, title] of TITLES.entries()) {
    await test.step(title, async () => {
      await expect(completeButton(page)).toHaveCount(0)
      const uploaded = answeredAt(page, '**/api/v1/kyc/specimens/*')
      await uploadButton(page).click()
      await expect(findToast(page, `${title} uploaded successfully`)).toBeVisible(FILE_READ)
      await expect(line(page, title)).toContainText('Completed')
      const nextTitle = TITLES[index + 1]
      if (!nextTitle) return
      await expect(line(page, nextTitle)).toContainText('Pending')
      await expect(step(page, nextTitle)).toBeVisible()
      expect(Date.now() - (await uploaded)).toBeGreaterThanOrEqual(1000)
      await expect(step(page, nextTitle)).toBeFocused()
    })
  }

  const submitted = answeredAt(page, '**/api/v1/kyc/submission')
  await completeButton(page).click()
  await expect(findToast(page, 'KYC verification submitted! Redirecting to dashboard...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  expect(Date.now() - (await submitted)).toBeGreaterThanOrEqual(2000)

  const { status, documents: savedDocuments } = await readFromBank<Kyc>(page, '/kyc')
  expect(status).toBe('approved')
  expect(savedDocuments.map((document) => [document.step, document.type])).toEqual([
    ['id', 'passport'],
    ['selfie', 'selfie'],
    ['address', 'utility_bill'],
  ])
  await page.goto('/kyc')
  await expect(page.getByText("You're verified")).toBeVisible()
  await expect(uploadButton(page)).toHaveCount(0)
})

test('a customer’s own file is uploaded, previewed, and offered as a download', async ({ page }) => {
  await begin(page)
  await choose(page, await photoFile())
  await expect(findToast(page, 'Identity Document uploaded successfully')).toBeVisible(FILE_READ)
  await expect(step(page, 'Take a Selfie')).toBeVisible()

  await page.reload()
  await line(page, 'Identity Document').getByRole('button').click()
  const picture = page.getByRole('img', { name: 'Passport' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(PHOTO_WIDTH)

  const [document] = await documents(page)
  expect(document).toMatchObject({ step: 'id', type: 'passport' })
  const answer = await page.request.get(`/api/v1/kyc/documents/${document?.id}`)
  expect(answer.headers()['content-disposition']).toContain('attachment')
})

test('every state has no violations, light and dark', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const check = () => expectAccessible(page)
  await begin(page)
  await check()
  await choose(page, { name: 'no.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
  await expect(page.getByRole('alert')).toBeVisible()
  await check()
  await line(page, 'Take a Selfie').getByRole('button').click()
  await page.getByRole('button', { name: 'Use Camera' }).click()
  await expect(page.getByRole('button', { name: 'Choose a Photo' })).toBeVisible()
  await check()
  await page.keyboard.press('Escape')
  await line(page, 'Identity Document').getByRole('button').click()
  await uploadAll(page)
  await expect(completeButton(page)).toBeVisible()
  await check()
  await completeButton(page).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/kyc')
  await expect(page.getByText("You're verified")).toBeVisible()
  await check()
})

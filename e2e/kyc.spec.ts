import { type Browser, expect, type Page, test } from '@playwright/test'
import { ERRORS } from '#contract/errors.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { expectAccessible } from './accessibility.ts'
import { ask, toast, visit } from './bank.ts'
import { type ChosenFile, pdfFile, PHOTO_WIDTH, photoFile, READ } from './files.ts'

const TITLES = ['Identity Document', 'Take a Selfie', 'Proof of Address'] as const

const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload Document' })
const completeButton = (page: Page) => page.getByRole('button', { name: 'Complete Verification' })
const step = (page: Page, title: string) => page.getByRole('heading', { name: title })
const line = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const documents = async (page: Page) => (await ask<Kyc>(page, '/kyc')).documents

/** Opens the screen on its first step. */
async function begin(page: Page): Promise<void> {
  await page.goto('/kyc')
  // The first look makes a customer with eight months of banking behind them.
  await expect(step(page, 'Identity Document')).toBeVisible({ timeout: 20_000 })
}

/** When the bank's next answer from an address was whole, in milliseconds: what a screen does later is counted from there. */
async function answeredAt(page: Page, address: string): Promise<number> {
  const answer = await page.waitForResponse(address)
  await answer.finished()
  const { startTime, responseEnd } = answer.request().timing()
  return startTime + responseEnd
}

/** Chooses a file of one's own for the step in view. */
async function choose(page: Page, file: ChosenFile): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a File' }).click()
  await (await choosing).setFiles(file)
}

/** Goes through all steps with specimens. */
async function uploadAll(page: Page): Promise<void> {
  for (const [index, title] of TITLES.entries()) {
    await expect(step(page, title)).toBeVisible()
    await uploadButton(page).click()
    await expect(toast(page, `${title} uploaded successfully`)).toBeVisible(READ)
    await expect(line(page, title)).toContainText('Completed')
    expect(await documents(page)).toHaveLength(index + 1)
  }
}

test('goes through three steps with one touch each, and on to the dashboard', async ({ page }) => {
  await begin(page)
  for (const title of TITLES) await expect(line(page, title)).toContainText('Pending')

  for (const [index, title] of TITLES.entries()) {
    await test.step(title, async () => {
      await expect(completeButton(page)).toHaveCount(0)
      const uploaded = answeredAt(page, '**/api/v1/kyc/specimens/*')
      await uploadButton(page).click()
      await expect(toast(page, `${title} uploaded successfully`)).toBeVisible(READ)
      await expect(line(page, title)).toContainText('Completed')
      const next = TITLES[index + 1]
      if (!next) return
      await expect(line(page, next)).toContainText('Pending')
      await expect(step(page, next)).toBeVisible({ timeout: 3_000 })
      expect(Date.now() - (await uploaded)).toBeGreaterThanOrEqual(1000)
      await expect(step(page, next)).toBeFocused()
    })
  }

  const submitted = answeredAt(page, '**/api/v1/kyc/submission')
  await completeButton(page).click()
  await expect(toast(page, 'KYC verification submitted! Redirecting to dashboard...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
  expect(Date.now() - (await submitted)).toBeGreaterThanOrEqual(2000)

  const { status, documents: kept } = await ask<Kyc>(page, '/kyc')
  expect(status).toBe('approved')
  expect(kept.map((document) => [document.step, document.type])).toEqual([
    ['id', 'passport'],
    ['selfie', 'selfie'],
    ['address', 'utility_bill'],
  ])
  await page.goto('/kyc')
  await expect(page.getByText("You're verified")).toBeVisible()
  await expect(uploadButton(page)).toHaveCount(0)
})

test('steps can be gone back to, and another kind of document takes the place of the first', async ({ page }) => {
  await begin(page)
  await page.getByRole('radio', { name: "Driver's License" }).click()
  await uploadButton(page).click()
  await expect(step(page, 'Take a Selfie')).toBeVisible()
  await line(page, 'Identity Document').getByRole('button').click()
  await expect(page.getByRole('status').filter({ hasText: "Uploaded Driver's License" })).toBeVisible()
  await expect(page.getByRole('img', { name: "Driver's License" })).toBeVisible()
  await page.getByRole('radio', { name: 'National ID' }).click()
  await uploadButton(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Uploaded National ID' })).toBeVisible()
  expect((await documents(page)).map(({ type }) => type)).toEqual(['national_id'])
  await page.reload()
  await expect(step(page, 'Take a Selfie')).toBeVisible()
  await expect(line(page, 'Identity Document')).toContainText('Completed')
})

test('is refused by the bank while a step is missing, whatever the screen believes', async ({ page }) => {
  await begin(page)
  await uploadAll(page)
  await arriveWithout(page, async () => {
    await page.goto('/kyc')
    await completeButton(page).click()
    await expect(toast(page, 'Please complete all verification steps')).toBeVisible()
  })
})

/** Shows a new customer, who has handed nothing in, the documents that the page's own customer has. */
async function arriveWithout(page: Page, see: () => Promise<void>): Promise<void> {
  const seen = await ask<Kyc>(page, '/kyc')
  await page.context().clearCookies()
  await visit(page)
  await page.route('**/api/v1/kyc', (route) => route.fulfill({ json: { ...seen, status: 'required' } }))
  await see()
  await page.unrouteAll()
  expect(await ask<Kyc>(page, '/kyc')).toMatchObject({ status: 'required', documents: [] })
}

test.describe('a file of one’s own', () => {
  test('is uploaded, seen, and given back as a file to keep', async ({ page }) => {
    await begin(page)
    await choose(page, await photoFile())
    await expect(toast(page, 'Identity Document uploaded successfully')).toBeVisible(READ)
    await expect(step(page, 'Take a Selfie')).toBeVisible()

    await page.reload()
    await line(page, 'Identity Document').getByRole('button').click()
    const picture = page.getByRole('img', { name: 'Passport' })
    await expect(picture).toBeVisible()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(PHOTO_WIDTH)

    const [kept] = await documents(page)
    expect(kept).toMatchObject({ step: 'id', type: 'passport' })
    const answer = await page.request.get(`/api/v1/kyc/documents/${kept?.id}`)
    expect(answer.headers()['content-disposition']).toContain('attachment')
  })

  test('may be a PDF, of which the bank keeps a picture', async ({ page }) => {
    await begin(page)
    await line(page, 'Proof of Address').getByRole('button').click()
    await page.getByRole('radio', { name: 'Bank Statement' }).click()
    await choose(page, await pdfFile())
    await expect(toast(page, 'Proof of Address uploaded successfully')).toBeVisible(READ)
    // What is still missing comes next, though it is an earlier step.
    await expect(step(page, 'Identity Document')).toBeVisible()
    await line(page, 'Proof of Address').getByRole('button').click()
    const picture = page.getByRole('img', { name: 'Bank Statement' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBeGreaterThan(1000)
    expect(await documents(page)).toMatchObject([{ step: 'address', type: 'bank_statement' }])
  })

  test('can be dropped on its step', async ({ page }) => {
    await begin(page)
    const transfer = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], 'dropped.jpg', { type: 'image/jpeg' }))
        return data
      },
      [...(await photoFile()).buffer],
    )
    const card = page.getByRole('region', { name: 'Identity Document' })
    await card.dispatchEvent('dragenter', { dataTransfer: transfer })
    await card.dispatchEvent('dragover', { dataTransfer: transfer })
    await expect(card).toContainText('Drop it here')
    await card.dispatchEvent('drop', { dataTransfer: transfer })
    await expect(toast(page, 'Identity Document uploaded successfully')).toBeVisible(READ)
    expect(await documents(page)).toHaveLength(1)
  })

  const jpeg = (size: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(size - 3)])
  const WRONG: [what: string, title: string, file: ChosenFile, message: string][] = [
    [
      'a page called .jpg',
      'Identity Document',
      { name: 'passport.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<!doctype html><script>') },
      ERRORS.document_kind_refused.message,
    ],
    [
      'nothing',
      'Identity Document',
      { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      ERRORS.document_kind_refused.message,
    ],
    [
      'one byte too many',
      'Identity Document',
      { name: 'large.jpg', mimeType: 'image/jpeg', buffer: jpeg(MAX_DOCUMENT_BYTES + 1) },
      ERRORS.document_too_large.message,
    ],
    [
      'a PDF for a face',
      'Take a Selfie',
      { name: 'me.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
      ERRORS.photo_kind_refused.message,
    ],
  ]
  for (const [what, title, file, message] of WRONG) {
    test(`is refused before any of it is sent: ${what}`, async ({ page }) => {
      await begin(page)
      await line(page, title).getByRole('button').click()
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
      await choose(page, file)
      await expect(page.getByRole('alert')).toHaveText(message)
      await expect(toast(page, message)).toBeVisible()
      await expect(line(page, title)).toContainText('Pending')
      expect(sent).toEqual([])
      expect(await documents(page)).toEqual([])
      // The same step takes another file at once.
      await choose(page, await photoFile())
      await expect(toast(page, `${title} uploaded successfully`)).toBeVisible(READ)
    })
  }

  test('that the bank cannot read is refused in its words, and nothing is kept', async ({ page }) => {
    await begin(page)
    await choose(page, { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: jpeg(5_000) })
    await expect(page.getByRole('alert')).toHaveText(ERRORS.document_unreadable.message, READ)
    await expect(page.getByText('No preview')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try Again' })).toHaveCount(0)
    expect(await documents(page)).toEqual([])
  })
})

test.describe('an upload that breaks off', () => {
  const UPLOADS = '**/api/v1/kyc/documents/**'

  test('is tried again by itself', async ({ page }) => {
    await begin(page)
    let tries = 0
    await page.route(UPLOADS, async (route) => {
      tries += 1
      if (tries === 1) await route.abort('connectionreset')
      else await route.continue()
    })
    await choose(page, await photoFile())
    await expect(toast(page, 'Still trying…')).toBeVisible()
    await expect(toast(page, 'Identity Document uploaded successfully')).toBeVisible(READ)
    expect(tries).toBe(2)
    expect(await documents(page)).toHaveLength(1)
  })

  test('keeps its file for another try by hand', async ({ page }) => {
    test.setTimeout(45_000)
    await begin(page)
    await page.route(UPLOADS, (route) => route.abort('connectionreset'))
    await choose(page, await photoFile())
    // Three more tries, after one, two and four seconds.
    await expect(page.getByRole('alert')).toHaveText(ERRORS.unreachable.message, { timeout: 15_000 })
    await expect(page.getByRole('img', { name: 'Preview of your file' })).toBeVisible()
    await expect(line(page, 'Identity Document')).toContainText('Pending')
    expect(await documents(page)).toEqual([])
    await page.unroute(UPLOADS)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(toast(page, 'Identity Document uploaded successfully')).toBeVisible(READ)
    expect(await documents(page)).toHaveLength(1)
  })

  test('can be stopped', async ({ page }) => {
    await begin(page)
    const held = Promise.withResolvers<void>()
    await page.route(UPLOADS, () => held.promise)
    await choose(page, await photoFile())
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toHaveCount(0)
    await expect(uploadButton(page)).toBeEnabled()
    await expect(line(page, 'Identity Document')).toContainText('Pending')
    held.resolve()
    expect(await documents(page)).toEqual([])
  })
})

test.describe('the camera', () => {
  /** Opens the selfie's step, keeping count of the cameras that are on. */
  async function atSelfie(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const tracks: MediaStreamTrack[] = []
      Object.assign(window, { camerasOn: () => tracks.filter((track) => track.readyState === 'live').length })
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        const stream = await open(wanted)
        tracks.push(...stream.getTracks())
        return stream
      }
    })
    await begin(page)
    await line(page, 'Take a Selfie').getByRole('button').click()
  }
  const camerasOn = (page: Page) => page.evaluate(() => (window as unknown as { camerasOn: () => number }).camerasOn())

  test('takes a photo, takes it again, uses it, and is off afterwards', async ({
    playwright,
    launchOptions,
    baseURL,
  }) => {
    const fakes = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
    const args = [...(launchOptions.args ?? []), ...fakes]
    const browser: Browser = await playwright.chromium.launch({ ...launchOptions, args })
    try {
      const page = await browser.newPage({ ...(baseURL && { baseURL }) })
      await atSelfie(page)
      await page.getByRole('button', { name: 'Use Camera' }).click()
      const sheet = page.getByRole('dialog', { name: 'Take a Selfie' })
      await expect(sheet.getByLabel('Camera view')).toBeVisible()
      await expect.poll(() => camerasOn(page)).toBe(1)
      await capture(sheet)
      expect(await camerasOn(page)).toBe(0)
      await sheet.getByRole('button', { name: 'Retake' }).click()
      await expect.poll(() => camerasOn(page)).toBe(1)
      await sheet.getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => camerasOn(page)).toBe(0)

      await page.getByRole('button', { name: 'Use Camera' }).click()
      await capture(sheet)
      await sheet.getByRole('button', { name: 'Use Photo' }).click()
      await expect(toast(page, 'Take a Selfie uploaded successfully')).toBeVisible(READ)
      expect(await camerasOn(page)).toBe(0)
      expect(await documents(page)).toMatchObject([{ step: 'selfie', type: 'selfie' }])
    } finally {
      await browser.close()
    }
  })

  /** The first picture may take a moment: until it is there, there is nothing to take. */
  async function capture(sheet: ReturnType<Page['getByRole']>): Promise<void> {
    await expect
      .poll(() => sheet.getByLabel('Camera view').evaluate((video: HTMLVideoElement) => video.videoWidth))
      .toBeGreaterThan(0)
    await sheet.getByRole('button', { name: 'Capture' }).click()
    await expect(sheet.getByRole('img', { name: 'Your photo' })).toBeVisible()
  }

  test('that is not there or not allowed leaves the way by a file', async ({ page }) => {
    await atSelfie(page)
    await page.getByRole('button', { name: 'Use Camera' }).click()
    const sheet = page.getByRole('dialog', { name: 'Take a Selfie' })
    await expect(sheet).toContainText(ERRORS.camera_unavailable.message)
    const choosing = page.waitForEvent('filechooser')
    await sheet.getByRole('button', { name: 'Choose a Photo' }).click()
    const chooser = await choosing
    expect(await chooser.element().getAttribute('capture')).toBe('user')
    await chooser.setFiles(await photoFile())
    await expect(toast(page, 'Take a Selfie uploaded successfully')).toBeVisible(READ)
  })
})

test('only a reviewer finds anything at the reviewers’ address', async ({ page }) => {
  await visit(page)
  await page.goto('/review')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('every state is without violations, light and dark', async ({ page }) => {
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

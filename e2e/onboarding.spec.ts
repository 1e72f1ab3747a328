import { gzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expectAppReady } from './bank.ts'

const TITLES = ['Welcome to Alder', 'Bank securely', 'Smart insights', 'Instant everything'] as const

const strip = (page: Page) => page.getByRole('group', { name: 'Slides', exact: true })
const dot = (page: Page, number: number) => page.getByRole('button', { name: `Slide ${number}:` })
const nextButton = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const getStarted = (page: Page) => page.getByRole('link', { name: 'Get Started' })
const haveAccount = (page: Page) => page.getByRole('link', { name: 'I Already Have an Account' })

async function open(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: TITLES[0] })).toBeVisible()
  await expectAppReady(page)
}

/** Returns the position of the slides: 0.5 is halfway to the second. */
function readPosition(page: Page): Promise<number> {
  return strip(page).evaluate((element) => {
    const firstSlide = element.querySelector('[aria-roledescription="slide"]')
    const frame = element.getBoundingClientRect()
    return Math.abs((firstSlide?.getBoundingClientRect().left ?? 0) - frame.left) / frame.width
  })
}

/** Expects a screen reader to find only this slide, its dot to be marked, and the strip to stop at it. */
async function expectSlide(page: Page, number: number): Promise<void> {
  const title = TITLES[number - 1] ?? ''
  await expect(page.getByRole('heading', { level: 1 })).toHaveText([title])
  await expect(page.getByRole('group', { name: `${number} of 4` })).toContainText(title)
  await expect(page.locator('[aria-current]')).toHaveAccessibleName(new RegExp(`^Slide ${number}: `))
  await expect.poll(() => readPosition(page)).toBeCloseTo(number - 1, 1)
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
}

// These tests are about moving slides.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('leads through four slides to the two entry buttons, and Back returns to the last slide', async ({ page }) => {
  await open(page)
  for (const number of [1, 2, 3]) {
    await expectSlide(page, number)
    await expect(getStarted(page)).toHaveCount(0)
    await expect(haveAccount(page)).toHaveCount(0)
    await nextButton(page).click()
  }
  await expectSlide(page, 4)
  await expect(nextButton(page)).toHaveCount(0)

  await getStarted(page).click()
  await expect(page).toHaveURL('/signup')
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expectSlide(page, 4)
  await haveAccount(page).click()
  await expect(page).toHaveURL('/login')
  await page.goBack()
  await page.reload()
  await expectSlide(page, 4)
})

test.describe('the first page', () => {
  test('loads no data, no form and no chart, and little code of its own', async ({ page }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const code = async () => {
      const scripts = requests.filter((path) => path.endsWith('.js'))
      return (await Promise.all(scripts.map(async (path) => (await page.request.get(path)).text()))).join('\n')
    }
    await open(page)
    for (const number of [2, 3, 4]) {
      await nextButton(page).click()
      await expectSlide(page, number)
    }
    await page.waitForLoadState('networkidle')
    expect(requests.filter((path) => path.startsWith('/api'))).toEqual([])
    expect(await code()).not.toMatch(/reValidateMode|recharts/)
    const screenChunk = requests.find((path) => path.includes('onboarding-screen'))
    // The limit leaves room for a carousel library of 7 kB.
    const chunk = await (await page.request.get(screenChunk ?? '')).body()
    expect(gzipSync(chunk).length).toBeLessThan(15_000)

    // The same check does find the form library on a screen with a form, and data on a screen with data.
    await page.goto('/transfer')
    await expect(page.getByRole('button', { name: 'Sarah Johnson' })).toBeVisible()
    expect(await code()).toMatch(/reValidateMode/)
    expect(requests.filter((path) => path.startsWith('/api'))).not.toEqual([])
  })
})

test.describe('in a desktop window', () => {
  test.use({ isMobile: false })
  test('the slide stays when the window briefly changes its size', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 400 })
    await open(page)
    await dot(page, 4).click()
    await expectSlide(page, 4)
    // For a picture of the whole page, the browser changes its window size and then restores it.
    await page.screenshot({ fullPage: true })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await expectSlide(page, 4)
  })
})

test('has no violations, on a phone and in a window, light and dark', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  for (const number of [1, 2, 3, 4]) {
    await dot(page, number).click()
    await expectSlide(page, number)
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport)
      await expectAccessible(page, `slide ${number}, ${viewport.width} wide`)
    }
  }
})

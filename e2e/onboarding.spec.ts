import { gzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { appStands } from './bank.ts'

const TITLES = ['Welcome to Alder', 'Bank securely', 'Smart insights', 'Instant everything'] as const

const strip = (page: Page) => page.getByRole('group', { name: 'Slides', exact: true })
const dot = (page: Page, number: number) => page.getByRole('button', { name: `Slide ${number}:` })
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const getStarted = (page: Page) => page.getByRole('link', { name: 'Get Started' })
const haveAccount = (page: Page) => page.getByRole('link', { name: 'I Already Have an Account' })

async function open(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: TITLES[0] })).toBeVisible()
  await appStands(page)
}

/** How many slides have passed: 0.5 is halfway to the second. */
function moved(page: Page): Promise<number> {
  return strip(page).evaluate((element) => {
    const first = element.querySelector('[aria-roledescription="slide"]')
    const frame = element.getBoundingClientRect()
    return Math.abs((first?.getBoundingClientRect().left ?? 0) - frame.left) / frame.width
  })
}

/** The slide is the only one that there is to a screen reader, its dot is marked, and the strip stands on it. */
async function expectSlide(page: Page, number: number): Promise<void> {
  const title = TITLES[number - 1] ?? ''
  await expect(page.getByRole('heading', { level: 1 })).toHaveText([title])
  await expect(page.getByRole('group', { name: `${number} of 4` })).toContainText(title)
  await expect(page.locator('[aria-current]')).toHaveAccessibleName(new RegExp(`^Slide ${number}: `))
  await expect.poll(() => moved(page)).toBeCloseTo(number - 1, 1)
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
}

/** A finger goes over the slide by as many pixels and stays there until the function that is answered is called. */
async function touch(page: Page, byX: number): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  const at = (x: number) => [{ x, y: 300, id: 1 }]
  const from = byX < 0 ? 330 : 60
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
  for (let step = 1; step <= 12; step += 1) {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from + (byX * step) / 12) })
  }
  return async () => {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}

// Slides that move are what these are about.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('leads through four slides to the two doors, and Back comes to the last slide again', async ({ page }) => {
  await open(page)
  for (const number of [1, 2, 3]) {
    await expectSlide(page, number)
    await expect(getStarted(page)).toHaveCount(0)
    await expect(haveAccount(page)).toHaveCount(0)
    await next(page).click()
  }
  await expectSlide(page, 4)
  await expect(next(page)).toHaveCount(0)

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

test('names what it offers', async ({ page }) => {
  await open(page)
  const offers = [
    /No branches/,
    /\(KYC\).*biometrics/,
    /AI-powered spending insights/,
    /Money.*cards.*FinTech partners/,
  ]
  for (const [index, offer] of offers.entries()) {
    await dot(page, index + 1).click()
    await expect(page.getByRole('group', { name: `${index + 1} of 4` })).toContainText(offer)
  }
})

test('any slide is picked by its dot', async ({ page }) => {
  await open(page)
  for (const number of [3, 1, 4, 2]) {
    await dot(page, number).click()
    await expectSlide(page, number)
  }
  await expect(page).toHaveURL('/')
})

test('a finger draws the slides, which follow it', async ({ page }) => {
  await open(page)
  const lift = await touch(page, -240)
  await expect.poll(() => moved(page)).toBeGreaterThan(0.2)
  expect(await moved(page)).toBeLessThan(0.9)
  await lift()
  await expectSlide(page, 2)
  await (
    await touch(page, 250)
  )()
  await expectSlide(page, 1)
  // There is nothing before the first.
  await (
    await touch(page, 250)
  )()
  await expectSlide(page, 1)
})

test('a mouse draws them too, and lets go of what it hardly moved', async ({ page }) => {
  await open(page)
  const drag = async (byX: number) => {
    await page.mouse.move(200, 300)
    await page.mouse.down()
    await page.mouse.move(200 + byX, 300, { steps: 8 })
  }
  await drag(-120)
  await expect.poll(() => moved(page)).toBeCloseTo(120 / 390, 1)
  await page.mouse.up()
  await expectSlide(page, 2)
  await drag(-20)
  await expect.poll(() => moved(page)).toBeCloseTo(1 + 20 / 390, 1)
  // Held still for a moment first: even a short flick moves on.
  await page.waitForTimeout(250)
  await page.mouse.up()
  await expectSlide(page, 2)
  await drag(120)
  await page.mouse.up()
  await expectSlide(page, 1)
  await drag(120)
  await page.mouse.up()
  await expectSlide(page, 1)
})

test('keys go from slide to slide wherever the focus is', async ({ page }) => {
  await open(page)
  await expectSlide(page, 1)
  for (const [key, number] of [
    ['ArrowRight', 2],
    ['ArrowLeft', 1],
    ['ArrowLeft', 1],
    ['End', 4],
    ['ArrowRight', 4],
    ['ArrowLeft', 3],
    ['Home', 1],
    // With these the keys are the browser's own.
    ['Control+End', 1],
    ['Shift+ArrowRight', 1],
  ] as const) {
    await page.keyboard.press(key)
    await expectSlide(page, number)
  }
})

test('the focus stays with the way on, and every control is reached by Tab', async ({ page }) => {
  await open(page)
  await page.keyboard.press('Tab')
  await expect(strip(page)).toBeFocused()
  for (const number of [1, 2, 3, 4]) {
    await page.keyboard.press('Tab')
    await expect(dot(page, number)).toBeFocused()
  }
  await page.keyboard.press('Tab')
  for (const number of [2, 3]) {
    await expect(next(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expectSlide(page, number)
  }
  await page.keyboard.press('ArrowRight')
  await expect(getStarted(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(haveAccount(page)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(next(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(getStarted(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/signup')
})

test('a screen reader is told of a carousel, where it is in it, and what has come', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('region', { name: 'About Alder' })).toHaveAttribute('aria-roledescription', 'carousel')
  await expect(page.getByRole('group', { name: '1 of 4' })).toHaveAttribute('aria-roledescription', 'slide')
  await expect(page.getByRole('group', { name: / of 4$/ })).toHaveCount(1)
  const told = page.getByRole('status').filter({ hasText: /\S/ })
  await expect(told).toHaveCount(0)
  await next(page).click()
  await expect(told).toHaveText(/^Bank securely\. Identity verification/)
  await expect(next(page)).toBeFocused()
})

test('a double click on Next opens no account', async ({ page }) => {
  await open(page)
  await dot(page, 3).click()
  await expectSlide(page, 3)
  await next(page).dblclick()
  await expectSlide(page, 4)
  await expect(page).toHaveURL('/')
  await getStarted(page).click()
  await expect(page).toHaveURL('/signup')
})

test('where slides go to the left, keys and finger do too', async ({ page }) => {
  await open(page)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await page.keyboard.press('ArrowLeft')
  await expectSlide(page, 2)
  await page.keyboard.press('ArrowRight')
  await expectSlide(page, 1)
  await (
    await touch(page, 250)
  )()
  await expectSlide(page, 2)
  await dot(page, 4).click()
  await expectSlide(page, 4)
})

test('without motion a slide is there at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  await dot(page, 4).click()
  // The next frame: longer than that would be motion.
  await expect.poll(() => moved(page), { timeout: 500, intervals: [20] }).toBeCloseTo(3, 2)
  const lasting = () =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map((animation) => ('animationName' in animation ? animation.animationName : animation.id))
  expect(await page.evaluate(lasting)).toEqual([])
})

test.describe('what it loads', () => {
  test('is no data, no form and no chart, and little of its own', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const code = async () => {
      const scripts = asked.filter((path) => path.endsWith('.js'))
      return (await Promise.all(scripts.map(async (path) => (await page.request.get(path)).text()))).join('\n')
    }
    await open(page)
    for (const number of [2, 3, 4]) {
      await next(page).click()
      await expectSlide(page, number)
    }
    await page.waitForLoadState('networkidle')
    expect(asked.filter((path) => path.startsWith('/api'))).toEqual([])
    expect(await code()).not.toMatch(/reValidateMode|recharts/)
    const own = asked.find((path) => path.includes('onboarding-screen'))
    // A carousel library of 7 kB is in it.
    const chunk = await (await page.request.get(own ?? '')).body()
    expect(gzipSync(chunk).length).toBeLessThan(15_000)

    // The very same look finds the form library where there is a form, and the data where there is some.
    await page.goto('/transfer')
    await expect(page.getByRole('button', { name: 'Sarah Johnson' })).toBeVisible()
    expect(await code()).toMatch(/reValidateMode/)
    expect(asked.filter((path) => path.startsWith('/api'))).not.toEqual([])
  })
})

test.describe('fits', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  for (const [width, height] of [
    [390, 844],
    [360, 640],
    [844, 390],
    [640, 360],
    [768, 1024],
    [1280, 800],
  ] as const) {
    test(`${width} x ${height}, its controls large enough to be hit`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await open(page)
      for (const number of [1, 2, 3, 4]) {
        await dot(page, number).click()
        await expectSlide(page, number)
        await expect(
          page
            .getByRole('group', { name: `${number} of 4` })
            .locator('p')
            .last(),
        ).toBeInViewport({ ratio: 1 })
      }
      for (const control of [dot(page, 1), dot(page, 4), getStarted(page), haveAccount(page)]) {
        await expect(control).toBeInViewport({ ratio: 1 })
        const box = await control.boundingBox()
        expect(box?.width).toBeGreaterThanOrEqual(44)
        expect(box?.height).toBeGreaterThanOrEqual(44)
      }
      const content = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return { width: scrollWidth, height: scrollHeight }
      })
      expect(content).toEqual({ width, height })
    })
  }

  test('a phone that is turned, without losing its slide', async ({ page }) => {
    await open(page)
    await dot(page, 3).click()
    await expectSlide(page, 3)
    await page.setViewportSize({ width: 844, height: 390 })
    await expectSlide(page, 3)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectSlide(page, 3)
  })
})

test.describe('in a window', () => {
  test.use({ isMobile: false })
  test('that changes its size for a moment, the slide stays', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 400 })
    await open(page)
    await dot(page, 4).click()
    await expectSlide(page, 4)
    // To see the whole page, the browser lays it out for windows of other sizes and then for this one again.
    await page.screenshot({ fullPage: true })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await expectSlide(page, 4)
  })
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`is without violations, ${viewport.width} wide, light and dark`, async ({ page }) => {
    test.setTimeout(90_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await open(page)
    for (const number of [1, 2, 3, 4]) {
      await dot(page, number).click()
      await expectSlide(page, number)
      await expectAccessible(page, `slide ${number}`)
    }
  })
}

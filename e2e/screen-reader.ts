import type { CDPSession, Page } from '@playwright/test'

/** A simulated screen reader. Each line is a focused control (`button, "Send Money"`) or an announcement (`> Sent`). */
export type ScreenReader = {
  lines: string[]
  /** Presses Tab until the focus is on a control whose line contains this text. Records each stop on the way. */
  tabTo: (part: string | RegExp) => Promise<string>
  /** Presses a key at the focus. Records the key, the announcements and the new focus. */
  press: (key: string) => Promise<void>
  /** Types at the focus. Records the typed text and the announcements. */
  type: (text: string) => Promise<void>
  /** Waits for an announcement. An announcement among the last twelve lines counts too. */
  hear: (part: string | RegExp) => Promise<void>
  /** Records the control with the focus. */
  stand: () => Promise<string>
}

const MAX_STOPS = 80

type AxNode = {
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  value?: { value: string | number }
  description?: { value: string }
  properties?: { name: string; value: { value: unknown } }[]
}

/** The states that a screen reader announces. */
const STATES: Record<string, (value: unknown) => string> = {
  checked: (value) => (value === 'true' ? 'checked' : 'not checked'),
  pressed: (value) => (value === 'true' ? 'pressed' : 'not pressed'),
  expanded: (value) => (value === true ? 'expanded' : 'collapsed'),
  disabled: (value) => (value === true ? 'dimmed' : ''),
  invalid: (value) => (value === 'true' ? 'invalid' : ''),
  busy: (value) => (value === true || value === 1 ? 'busy' : ''),
}

/** Returns a node of the accessibility tree as one line: role, name, value, states, description. */
function lineOf({ role, name, value, description, properties = [] }: AxNode): string {
  const states = properties.map((property) => STATES[property.name]?.(property.value.value) ?? '')
  const valueText = value?.value === undefined || value.value === '' ? '' : String(value.value)
  return [role?.value ?? '', `"${name?.value ?? ''}"`, valueText, ...states, description?.value ?? '']
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(/\s+/g, ' ')
}

/** Returns the accessibility node of the element that an expression evaluates to, or null if there is no element. */
async function nodeOf(cdp: CDPSession, expression: string): Promise<AxNode | null> {
  const { result } = await cdp.send('Runtime.evaluate', { expression })
  if (result.objectId === undefined) return null
  const { nodes } = await cdp.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId,
    fetchRelatives: false,
  })
  return (nodes as AxNode[])[0] ?? null
}

async function focused(page: Page, cdp: CDPSession): Promise<string> {
  const node = await nodeOf(cdp, 'document.activeElement')
  if (!node || node.role?.value === 'RootWebArea') return ''
  const focusState = await page.evaluate(() => {
    const element = document.activeElement
    return {
      valueText: element?.getAttribute('aria-valuetext'),
      current: element?.hasAttribute('aria-current'),
    }
  })
  if (focusState.valueText) node.value = { value: focusState.valueText }
  return lineOf(node) + (focusState.current ? ', current' : '')
}

/** Returns the dialog around the focus, which a screen reader announces when the focus enters it. */
async function dialogAround(cdp: CDPSession): Promise<string> {
  const node = await nodeOf(cdp, `document.activeElement?.closest('[role=dialog], [role=alertdialog]')`)
  return node ? lineOf(node) : ''
}

/** Records every text that appears in a live region. Runs in the page. */
function recordAnnouncements(): void {
  const announcements: string[] = []
  ;(window as unknown as { announced: string[] }).announced = announcements
  const LIVE = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], [role="log"]'
  const textOf = (node: Node): string => {
    const copy = node.cloneNode(true)
    if (copy instanceof Element)
      for (const hidden of copy.querySelectorAll('[aria-hidden="true"], [hidden]')) hidden.replaceWith(' ')
    const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    const parts = copy.nodeType === Node.TEXT_NODE ? [copy.textContent] : []
    while (texts.nextNode()) parts.push((texts.currentNode as Text).data)
    return parts.join(' ').replaceAll(/\s+/g, ' ').trim()
  }
  const isHeard = (region: Element) =>
    region.checkVisibility({ visibilityProperty: true }) && !region.closest('[inert], [aria-hidden="true"]')
  /** A screen reader announces the whole text of an atomic region, but only new text of any other region. */
  const say = (region: Element, node: Node): void => {
    const element = node instanceof Element ? node : node.parentElement
    if (!isHeard(region) || !element || element.closest('[aria-hidden="true"], [hidden]')) return
    const text = textOf(region.matches('[aria-atomic="true"], [role="status"], [role="alert"]') ? region : node)
    if (text !== '' && announcements.at(-1) !== text) announcements.push(text)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(LIVE)
      if (region) for (const node of addedNodes.length > 0 ? addedNodes : [target]) say(region, node)
      else
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const added of [...(node.matches(LIVE) ? [node] : []), ...node.querySelectorAll(LIVE)])
              say(added, added)
    }
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

/** Starts the simulated screen reader on a page. Announcements are recorded from the next load of the page on. */
export async function openScreenReader(page: Page): Promise<ScreenReader> {
  const cdp = await page.context().newCDPSession(page)
  await page.addInitScript(recordAnnouncements)
  const lines: string[] = []
  let announcedCount = 0
  let [lastLine, dialog] = ['', '']
  const announced = async () => {
    const announcements = await page.evaluate(() => (window as unknown as { announced?: string[] }).announced ?? [])
    if (announcements.length < announcedCount) announcedCount = 0
    for (const text of announcements.slice(announcedCount)) lines.push(`> ${text}`)
    announcedCount = announcements.length
  }
  const stand = async () => {
    const around = await dialogAround(cdp)
    if (around !== dialog && around !== '') lines.push(around)
    dialog = around
    const line = await focused(page, cdp)
    if (line !== lastLine && line !== dialog) lines.push(line === '' ? '(the focus is nowhere)' : line)
    lastLine = line
    return line
  }
  const fits = (line: string, part: string | RegExp) =>
    typeof part === 'string' ? line.includes(part) : part.test(line)
  return {
    lines,
    stand,
    tabTo: async (part) => {
      for (let stops = 0; stops < MAX_STOPS; stops += 1) {
        await page.keyboard.press('Tab')
        const line = await stand()
        await announced()
        if (fits(line, part)) return line
      }
      throw new Error(`Tab never reached ${String(part)}:\n${lines.slice(-MAX_STOPS).join('\n')}`)
    },
    press: async (key) => {
      lines.push(`[${key}]`)
      await page.keyboard.press(key)
      await page.waitForTimeout(400)
      await announced()
      await stand()
    },
    type: async (text) => {
      lines.push(`[${text}]`)
      await page.keyboard.type(text)
      await announced()
    },
    hear: async (part) => {
      const startIndex = lines.length
      for (let waits = 0; waits < 200; waits += 1) {
        await announced()
        if (lines.slice(Math.max(0, startIndex - 12)).some((line) => line.startsWith('> ') && fits(line, part))) {
          await stand()
          return
        }
        await page.waitForTimeout(100)
      }
      throw new Error(`Not announced: ${String(part)}:\n${lines.slice(-20).join('\n')}`)
    },
  }
}

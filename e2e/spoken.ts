import type { CDPSession, Page } from '@playwright/test'

/** What a screen reader says, line by line: a control that the focus comes to (`button, "Send Money"`), or an announcement (`> Sent`). */
export type Spoken = {
  lines: string[]
  /** Goes on with Tab until it stands on a control whose line has this in it, and writes down each stop on the way. */
  tabTo: (part: string | RegExp) => Promise<string>
  /** Presses a key where the focus is, and writes down what is announced and where the focus goes. */
  press: (key: string) => Promise<void>
  /** Types where the focus is, and writes down the value. */
  type: (text: string) => Promise<void>
  /** Waits until this is announced. */
  hear: (part: string | RegExp) => Promise<void>
  /** Writes down where the focus is. */
  stand: () => Promise<string>
}

const MOST_STOPS = 80

type AxNode = {
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  value?: { value: string | number }
  description?: { value: string }
  properties?: { name: string; value: { value: unknown } }[]
}

/** The states that are said. */
const STATES: Record<string, (value: unknown) => string> = {
  checked: (value) => (value === 'true' ? 'checked' : 'not checked'),
  pressed: (value) => (value === 'true' ? 'pressed' : 'not pressed'),
  expanded: (value) => (value === true ? 'expanded' : 'collapsed'),
  disabled: (value) => (value === true ? 'dimmed' : ''),
  invalid: (value) => (value === 'true' ? 'invalid' : ''),
  busy: (value) => (value === true || value === 1 ? 'busy' : ''),
}

/** One line out of a node of the accessibility tree: role, name, value, states, description. */
function lineOf({ role, name, value, description, properties = [] }: AxNode): string {
  const states = properties.map((one) => STATES[one.name]?.(one.value.value) ?? '')
  const said = value?.value === undefined || value.value === '' ? '' : String(value.value)
  return [role?.value ?? '', `"${name?.value ?? ''}"`, said, ...states, description?.value ?? '']
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(/\s+/g, ' ')
}

/** The accessibility tree's node of the element that an expression comes to; null where it comes to none. */
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
  const spoken = await page.evaluate(() => {
    const element = document.activeElement
    return {
      valueText: element?.getAttribute('aria-valuetext'),
      current: element?.hasAttribute('aria-current'),
    }
  })
  if (spoken.valueText) node.value = { value: spoken.valueText }
  return lineOf(node) + (spoken.current ? ', current' : '')
}

/** The dialog around the focus, which a reader says when it comes in. */
async function dialogAround(cdp: CDPSession): Promise<string> {
  const node = await nodeOf(cdp, `document.activeElement?.closest('[role=dialog], [role=alertdialog]')`)
  return node ? lineOf(node) : ''
}

/** Writes down every text that is put into a live region, in the page itself. */
function hearHere(): void {
  const said: string[] = []
  ;(window as unknown as { said: string[] }).said = said
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
  /** An atomic region is said whole; of any other region, only what is new. */
  const say = (region: Element, node: Node): void => {
    const element = node instanceof Element ? node : node.parentElement
    if (!isHeard(region) || !element || element.closest('[aria-hidden="true"], [hidden]')) return
    const text = textOf(region.matches('[aria-atomic="true"], [role="status"], [role="alert"]') ? region : node)
    if (text !== '' && said.at(-1) !== text) said.push(text)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(LIVE)
      if (region) for (const node of addedNodes.length > 0 ? addedNodes : [target]) say(region, node)
      else
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const one of [...(node.matches(LIVE) ? [node] : []), ...node.querySelectorAll(LIVE)]) say(one, one)
    }
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

/** Listens to a page, which is loaded anew afterwards. */
export async function listen(page: Page): Promise<Spoken> {
  const cdp = await page.context().newCDPSession(page)
  await page.addInitScript(hearHere)
  const lines: string[] = []
  let heard = 0
  let [last, dialog] = ['', '']
  const announced = async () => {
    const said = await page.evaluate(() => (window as unknown as { said?: string[] }).said ?? [])
    if (said.length < heard) heard = 0
    for (const text of said.slice(heard)) lines.push(`> ${text}`)
    heard = said.length
  }
  const stand = async () => {
    const around = await dialogAround(cdp)
    if (around !== dialog && around !== '') lines.push(around)
    dialog = around
    const line = await focused(page, cdp)
    if (line !== last && line !== dialog) lines.push(line === '' ? '(the focus is nowhere)' : line)
    last = line
    return line
  }
  const fits = (line: string, part: string | RegExp) =>
    typeof part === 'string' ? line.includes(part) : part.test(line)
  return {
    lines,
    stand,
    tabTo: async (part) => {
      for (let stops = 0; stops < MOST_STOPS; stops += 1) {
        await page.keyboard.press('Tab')
        const line = await stand()
        await announced()
        if (fits(line, part)) return line
      }
      throw new Error(`Tab never came to ${String(part)}:\n${lines.slice(-MOST_STOPS).join('\n')}`)
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
      const since = lines.length
      for (let waits = 0; waits < 200; waits += 1) {
        await announced()
        if (lines.slice(Math.max(0, since - 12)).some((line) => line.startsWith('> ') && fits(line, part))) {
          await stand()
          return
        }
        await page.waitForTimeout(100)
      }
      throw new Error(`Nobody said ${String(part)}:\n${lines.slice(-20).join('\n')}`)
    },
  }
}

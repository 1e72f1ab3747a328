const said = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()

/** Higher than that is no control, but half a screen. */
const MOST_HEIGHT = 260

/** What only a screen reader reads is no larger than a point. */
function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 4 && height > 4
}

const isNamed = (element: Element, name: string): boolean =>
  element.ariaLabel === name ||
  (said(element.textContent) === name &&
    Array.from(element.children).every((child) => said(child.textContent) !== name))

/** What is filled in or switched under this name: it has a label, or names itself by what it is labelled by. */
function labelled(element: Element): Element | null {
  const label = element.closest('label')
  if (label) return label.control
  return element.id === ''
    ? null
    : element.ownerDocument.querySelector(`[aria-labelledby~="${CSS.escape(element.id)}"]`)
}

/** The smallest part of the screen that both stand in. */
function around(element: Element, other: Element): Element | null {
  let part: Element | null = element
  while (part && !part.contains(other)) part = part.parentElement
  return part
}

/** All of what is called by a name: the button around its words, the field with its label, the part under its heading. */
function wholeOf(element: Element): Element {
  const pressed = element.closest('a, button, [role=radio], [role=tab]')
  if (pressed) return pressed
  const field = labelled(element)
  const whole = field ? around(element, field) : element.closest('h2, h3') && element.closest('section')
  return whole && whole.getBoundingClientRect().height <= MOST_HEIGHT ? whole : element
}

/** What a screen calls by this name, in the words that stand on it; null where there is nothing of the kind. */
export function controlNamed(root: ParentNode, name: string): Element | null {
  const wanted = said(name)
  const named = Array.from(root.querySelectorAll('*')).filter((element) => isNamed(element, wanted) && isSeen(element))
  const first = named.find((element) => wholeOf(element) !== element) ?? named[0]
  return first ? wholeOf(first) : null
}

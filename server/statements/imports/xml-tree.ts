import { SaxesParser } from 'saxes'
import { Refusal } from '#contract/errors.ts'

/** An element of XML: its name without a prefix, its own text, and its children. */
export type XmlElement = { name: string; attributes: Record<string, string>; text: string; children: XmlElement[] }

/** The limit on the nesting in a message. No bank's message nests deeper. */
const MAX_DEPTH = 40
/** The number of characters that are read of an element's text. No name, account or amount has more. */
const MAX_TEXT = 1_000

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Returns the root of an XML document from an unknown author. External references and declarations are not allowed. Throws
 * Refusal `import_unreadable` for a document type, an entity beyond XML's five, malformed XML, and nesting that is too deep.
 */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser()
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] }
  const path = [root]
  const refuse = (cause?: Error) => {
    throw new Refusal('import_unreadable', undefined, { cause })
  }
  parser.on('doctype', () => refuse())
  parser.on('error', refuse)
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name: withoutPrefix(name), attributes, text: '', children: [] }
    path.at(-1)?.children.push(element)
    path.push(element)
    if (path.length > MAX_DEPTH) refuse()
  })
  const addText = (part: string) => {
    const element = path.at(-1)
    if (!element || element.text.length >= MAX_TEXT) return
    element.text = (element.text + (element.text === '' ? part.trimStart() : part)).slice(0, MAX_TEXT)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => path.pop())
  parser.write(text).close()
  const [document] = root.children
  return document ?? root
}

/** Returns the elements at the end of a path of names. */
export const elementsAt = (element: XmlElement, ...names: string[]): XmlElement[] =>
  names.reduce<XmlElement[]>(
    (elements, name) => elements.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )

/** Returns the trimmed text of the first element at a path, or '' if there is no element. */
export const textAt = (element: XmlElement, ...names: string[]): string =>
  elementsAt(element, ...names)[0]?.text.trim() ?? ''

import { useLingui } from '@lingui/react'
import type { ComponentType, ReactNode } from 'react'
import { Sheet, type SheetsProps, showFromTop } from '#web/ui/sheet.tsx'

export type SheetPart = { title: string; description: string; content: ReactNode }
export type SheetActions<Shown> = { show: (next: Shown) => void; close: () => void }

interface PartOf<Shown, Data, Any> {
  /** Returns the part; null if its subject no longer exists, which closes the sheet. */
  part(shown: Shown, data: Data, ways: SheetActions<Any>): SheetPart | null
}

/** The parts of a sheet by kind. */
type Parts<Shown extends { kind: string }, Data> = {
  [Kind in Shown['kind']]: PartOf<Shown & { kind: Kind }, Data, Shown>['part']
}

/**
 * Returns one sheet component for all tasks of a screen, with a part for each `kind`. The sheet may stay open while one part
 * replaces another. Each part begins with new state. A screen opens the sheet with `useSheets`.
 *
 * @example
 * ```tsx
 * export const CryptoSheets = defineSheets<CryptoSheet, CryptoOverview>({
 *   cancel: ({ order }, _, { close }) => ({
 *     title: t`Cancel this order?`,
 *     description: t`It won't be filled.`,
 *     content: <CancelOrder order={order} onDone={close} />,
 *   }),
 *   tax: (_, { today }) => ({
 *     title: t`Tax report`,
 *     description: t`A spreadsheet of the year's sales`,
 *     content: <TaxReport today={today} />,
 *   }),
 * })
 *
 * const sheets = useSheets(loadSheets)
 * sheets.show({ kind: 'cancel', order })
 * ```
 */
export function defineSheets<Shown extends { kind: string }, Data>(
  parts: Parts<Shown, Data>,
): ComponentType<SheetsProps<Shown, Data>> {
  const partOf: { readonly [kind: string]: PartOf<Shown, Data, Shown>['part'] } = parts
  return function Sheets({ shown, data, count, open, show, close }) {
    // Renders the sheet again after a change of language. The parts cannot do that, because they are plain functions.
    useLingui()
    const part = partOf[shown.kind]?.(shown, data, { show, close }) ?? null
    return (
      <Sheet
        open={open && part !== null}
        onOpenChange={(next) => next || close()}
        title={part?.title ?? ''}
        description={part?.description ?? ''}
      >
        <div key={count} ref={showFromTop}>
          {part?.content}
        </div>
      </Sheet>
    )
  }
}

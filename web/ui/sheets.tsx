import { useLingui } from '@lingui/react'
import type { ComponentType, ReactNode } from 'react'
import { Sheet, type SheetsProps, showFromTop } from '#web/ui/sheet.tsx'

export type Part = { title: string; description: string; content: ReactNode }
export type Ways<Shown> = { show: (next: Shown) => void; close: () => void }

interface PartOf<Shown, Data, Any> {
  /** Null where it is about something that is gone, which closes the sheet. */
  part(shown: Shown, data: Data, ways: Ways<Any>): Part | null
}

/** What a sheet shows of each kind. */
type Parts<Shown extends { kind: string }, Data> = {
  [Kind in Shown['kind']]: PartOf<Shown & { kind: Kind }, Data, Shown>['part']
}

/**
 * One sheet for all that is done on a screen: what it shows changes while it stays open, and begins anew each time.
 * A screen opens it with `useSheets`.
 */
export function defineSheets<Shown extends { kind: string }, Data>(
  parts: Parts<Shown, Data>,
): ComponentType<SheetsProps<Shown, Data>> {
  const partOf: { readonly [kind: string]: PartOf<Shown, Data, Shown>['part'] } = parts
  return function Sheets({ shown, data, count, open, show, close }) {
    // Parts are functions: their words change with the language as this component is drawn again.
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

import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { type OptionGroup, type PaletteOption, useActiveOption } from '#web/app/palette/listbox.ts'
import { usePaletteResults } from '#web/app/palette/results.tsx'
import { currentHeading } from '#web/app/shell/focus.ts'
import type { NavigationItem } from '#web/app/shell/navigation-items.ts'
import { runAfterSheets } from '#web/lib/sheet-entries.ts'
import { cx } from '#web/ui/cx.ts'
import { useSheetEntry } from '#web/ui/sheet-entry.ts'
import { Spinner } from '#web/ui/spinner.tsx'

const LIST = 'palette-list'

type PaletteProps = { open: boolean; onClose: () => void; onKeys: () => void; places: readonly NavigationItem[] }

/** The command palette, which finds screens, people and transactions and opens them by keyboard. */
export function Palette({ open, onClose, onKeys, places }: PaletteProps) {
  const { t } = useLingui()
  const [opener, setOpener] = useState<Element | null>(null)
  useSheetEntry(open, onClose)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="sheet-scrim fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => setOpener(document.activeElement)}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (document.activeElement !== document.body) return
            const back = opener instanceof HTMLElement && opener.isConnected ? opener : currentHeading()
            back?.focus()
          }}
          className="fixed inset-x-3 top-[max(0.75rem,12dvh)] z-50 mx-auto flex max-h-[min(34rem,76dvh)] max-w-[36rem] animate-screen-in flex-col overflow-hidden rounded-card border border-line bg-surface shadow-lift outline-none"
        >
          <Dialog.Title className="sr-only">{t`Search Alder`}</Dialog.Title>
          <Combobox places={places} onClose={onClose} onKeys={onKeys} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Combobox({ places, onClose, onKeys }: Omit<PaletteProps, 'open'>) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const { groups, isLooking } = usePaletteResults(query.trim(), places, {
    close: onClose,
    onKeys,
    go: (to, state) => {
      onClose()
      runAfterSheets(() => void navigate(to, { ...(state && { state }) }))
    },
  })
  const { activeId, setActive, onKeyDown } = useActiveOption(groups)
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        {isLooking ? (
          <Spinner className="size-5 text-ink-soft" />
        ) : (
          <Search aria-hidden className="size-5 shrink-0 text-ink-soft" strokeWidth={2} />
        )}
        <input
          type="text"
          role="combobox"
          aria-label={t`Search Alder`}
          aria-expanded
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder={t`Screens, contacts, transactions`}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setActive(null)
          }}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <Options groups={groups} activeId={activeId} onPoint={setActive} />
      <Results groups={groups} isLooking={isLooking} query={query.trim()} />
      <Hints />
    </>
  )
}

type OptionsProps = { groups: readonly OptionGroup[]; activeId: string | undefined; onPoint: (id: string) => void }

function Options({ groups, activeId, onPoint }: OptionsProps) {
  const { t } = useLingui()
  return (
    <div
      id={LIST}
      role="listbox"
      aria-label={t({ message: 'Results', comment: 'The results of a search' })}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 empty:hidden"
    >
      {groups.map(({ id, title, options }) => (
        <div key={id} role="group" aria-labelledby={id}>
          <p id={id} role="presentation" className="px-3 pt-2.5 pb-1 text-sm font-semibold text-ink-soft">
            {title}
          </p>
          {options.map((option) => (
            <Line key={option.id} option={option} isActive={option.id === activeId} onPoint={onPoint} />
          ))}
        </div>
      ))}
    </div>
  )
}

type LineProps = { option: PaletteOption; isActive: boolean; onPoint: (id: string) => void }

function Line({ option, isActive, onPoint }: LineProps) {
  const { id, picture, label, detail, trailing, run } = option
  return (
    // The field has the focus and handles keys; these handlers are for mouse and touch.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={run}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={() => !isActive && onPoint(id)}
      className={cx(
        'flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5',
        isActive && 'bg-primary-subtle',
      )}
    >
      {picture}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{label}</span>
        {detail && <span className="block truncate text-sm text-ink-soft">{detail}</span>}
      </span>
      {trailing}
    </div>
  )
}

type FoundProps = { groups: readonly OptionGroup[]; isLooking: boolean; query: string }

/** The number of results, for screen readers, and the visible text if there are none. */
function Results({ groups, isLooking, query }: FoundProps) {
  const count = groups.reduce((sum, { options }) => sum + options.length, 0)
  const isEmpty = count === 0 && !isLooking
  const name = <>{query}</>
  return (
    <div role="status" className={isEmpty ? 'px-5 py-10 text-center text-ink-soft' : 'sr-only'}>
      {isEmpty && <Trans comment="{name} is the text that the customer typed">Nothing found for “{name}”</Trans>}
      {!isEmpty && query !== '' && !isLooking && plural(count, { one: '# result', other: '# results' })}
    </div>
  )
}

function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid min-w-6 place-items-center rounded-md border border-line bg-muted px-1 font-sans text-sm">
      {children}
    </kbd>
  )
}

/** The hints about the keys, for devices with a keyboard. */
function Hints() {
  return (
    <p
      aria-hidden
      className="hidden items-center gap-x-5 border-t border-line px-4 py-2.5 text-sm text-ink-soft pointer-fine:flex"
    >
      <span className="inline-flex items-center gap-1.5">
        <Key>↑</Key>
        <Key>↓</Key>
        <Trans comment="The effect of the arrow keys">Move</Trans>
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Key>↵</Key>
        <Trans comment="The effect of the Enter key">Open</Trans>
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Key>Esc</Key>
        <Trans comment="The effect of the Escape key">Close</Trans>
      </span>
    </p>
  )
}

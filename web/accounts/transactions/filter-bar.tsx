import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TransactionFilters } from '#contract/accounts.ts'
import { chipsOf, withoutFilters } from '#web/accounts/transactions/filters.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadFilters = () => import('#web/accounts/transactions/filter-sheet.tsx')

const TYPING_PAUSE_MS = 250

type FilterBarProps = {
  filters: TransactionFilters
  /** `replace` is true if the change replaces the last entry of the browser's history, for example during typing. */
  onChange: (filters: TransactionFilters, replace: boolean) => void
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const sheet = useSheet(loadFilters, open, () => setOpen(false))
  const now = useBusinessNow()
  const chips = chipsOf(filters, now)
  const count = chips.length
  return (
    <>
      <div className="flex gap-2">
        <TransactionSearch filters={filters} onChange={onChange} />
        <IconButton
          icon={SlidersHorizontal}
          label={count > 0 ? plural(count, { one: 'Filters, # active', other: 'Filters, # active' }) : t`Filters`}
          dot={count > 0}
          aria-haspopup="dialog"
          onClick={() => {
            setOpenings(openings + 1)
            setOpen(true)
          }}
          className="!size-12 border border-line bg-surface shadow-card"
        />
      </div>
      {count > 0 && (
        <ul aria-label={t`Active filters`} className="flex flex-wrap gap-2">
          {chips.map(({ label, names }) => (
            <li key={names.join()}>
              <button
                type="button"
                aria-label={t`Remove Filter ${label}`}
                onClick={() => onChange(withoutFilters(filters, names), false)}
                className="tabular inline-flex min-h-11 items-center gap-1.5 rounded-full bg-primary-subtle ps-3.5 pe-3 text-sm font-medium text-primary"
              >
                {label}
                <X aria-hidden className="size-4" strokeWidth={2.2} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {sheet && (
        <sheet.FilterSheet
          // The key resets the sheet to the active filters each time it opens.
          key={openings}
          open={open}
          onOpenChange={setOpen}
          filters={filters}
          onApply={(next) => onChange(next, false)}
        />
      )}
    </>
  )
}

/** Searches while the customer types, shortly after the last key. */
function TransactionSearch({ filters, onChange }: FilterBarProps) {
  const { t } = useLingui()
  const query = filters.q ?? ''
  const [text, setText] = useState(query)
  const appliedQuery = useRef(query)

  useEffect(() => {
    // Back, forward and Clear change the URL. The text in the box then follows.
    if (query !== appliedQuery.current) {
      appliedQuery.current = query
      setText(query)
    }
  }, [query])

  const latestProps = useRef({ filters, onChange })
  useEffect(() => {
    latestProps.current = { filters, onChange }
  })
  useEffect(() => {
    const q = text.trim().slice(0, 100)
    if (q === appliedQuery.current) return undefined
    const timer = setTimeout(() => {
      appliedQuery.current = q
      latestProps.current.onChange({ ...withoutFilters(latestProps.current.filters, ['q']), ...(q && { q }) }, true)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <SearchBox
      label={t`Search transactions`}
      placeholder={t({ message: 'Search', comment: 'The placeholder of the search field for transactions' })}
      value={text}
      onChange={setText}
    />
  )
}

import { useLingui } from '@lingui/react/macro'
import { Search, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'

type SearchBoxProps = Pick<ComponentProps<'input'>, 'placeholder' | 'onBlur' | 'onKeyDown'> & {
  label: string
  value: string
  onChange: (text: string) => void
}

/** The search field of a list. */
export function SearchBox({ label, value, onChange, ...input }: SearchBoxProps) {
  const { t } = useLingui()
  return (
    <search className="relative flex-1">
      <Search
        aria-hidden
        className="absolute start-4 top-3.5 size-5 text-ink-soft max-[14rem]:hidden"
        strokeWidth={2}
      />
      <input
        type="search"
        aria-label={label}
        maxLength={100}
        enterKeyHint="search"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...input}
        className="h-12 w-full rounded-full border border-line bg-surface ps-11.5 pe-12 shadow-card max-[14rem]:ps-4 max-[14rem]:pe-4 outline-none focus:border-primary focus:ring-2 focus:ring-primary [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <IconButton
          icon={X}
          label={t`Clear Search`}
          onClick={() => onChange('')}
          className="!absolute end-0.5 top-0.5 !text-ink-soft"
        />
      )}
    </search>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Keyboard, LogOut, type LucideIcon, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Transaction } from '#contract/accounts.ts'
import type { Contact } from '#contract/payments.ts'
import { TransactionIcon } from '#web/accounts/shared/transaction-icon.tsx'
import { searchWithId } from '#web/accounts/shared/transaction-address.ts'
import { transactionsQuery, useBusinessNow } from '#web/accounts/queries.ts'
import type { OptionGroup, PaletteOption } from '#web/app/palette/listbox.ts'
import { findMatches } from '#web/app/palette/match.ts'
import type { NavigationItem } from '#web/app/shell/navigation-items.ts'
import { readRecentVisits } from '#web/app/shell/recent-screens.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { nameText } from '#web/i18n/words.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { contactsQuery } from '#web/lib/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Money } from '#web/ui/money.tsx'

const TYPING_PAUSE_MS = 200
/** The minimum length of a search text for transactions, and the maximum number of results of each kind. */
const SEARCHED_FROM = 2
const MAX_SHOWN = { transactions: 5, contacts: 4, likelyContacts: 3, suggested: 3 }

/** Opens a screen with `state` as its location state. */
export type GoToScreen = (to: string, state?: object) => void

function Picture({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-full bg-muted text-ink-soft">
      <Icon className="size-[1.125rem]" strokeWidth={1.9} />
    </span>
  )
}

/** Returns `text` with a delay after its last change. */
function useSettled(text: string): string {
  const [settledText, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settledText
}

function usePlaces(query: string, places: readonly NavigationItem[], go: GoToScreen): OptionGroup[] {
  const { t } = useLingui()
  const { pathname: currentPath } = useLocation()
  const isSample = useQuery(meQuery).data?.mode === 'sample'
  const open = places.filter(({ sampleOnly }) => !sampleOnly || isSample)
  const optionOf = ({ path, label, icon }: NavigationItem): PaletteOption => ({
    id: `palette-${path}`,
    picture: <Picture icon={icon} />,
    label: t(label),
    run: () => go(path),
  })
  const title = t({ message: 'Go to', comment: 'A heading above a list of screens' })
  if (query !== '') {
    const matches = findMatches(open, query, ({ label, words }) => ({ label: t(label), others: words ? t(words) : '' }))
    return [{ id: 'palette-places', title, options: matches.map(optionOf) }]
  }
  const elsewhere = open.filter(({ path }) => path !== currentPath)
  const recent = readRecentVisits().flatMap((path) => elsewhere.filter((place) => place.path === path))
  // If there are too few recent screens, the first screens of the list are suggested.
  const suggestedPlaces = [...new Set([...recent, ...elsewhere])].slice(0, MAX_SHOWN.suggested)
  const otherPlaces = elsewhere.filter((place) => !suggestedPlaces.includes(place))
  return [
    {
      id: 'palette-suggested',
      title: t({ message: 'Suggested', comment: 'Suggested screens' }),
      options: suggestedPlaces.map(optionOf),
    },
    { id: 'palette-places', title, options: otherPlaces.map(optionOf) },
  ]
}

function useContacts(query: string, go: GoToScreen): OptionGroup {
  const { t } = useLingui()
  const contacts = useQuery(contactsQuery).data?.contacts ?? []
  const matches =
    query === ''
      ? contacts.slice(0, MAX_SHOWN.likelyContacts)
      : findMatches(contacts, query, ({ name, email }) => ({
          label: name,
          // Many addresses end in .com, so a query without an @ is only compared with the part before the @.
          others: query.includes('@') ? email : email.replace(/@.*/, ''),
        })).slice(0, MAX_SHOWN.contacts)
  const optionOf = ({ name, email, initials }: Contact): PaletteOption => ({
    id: `palette-contact-${email}`,
    picture: <Avatar initials={initials} name={name} className="!size-9 !text-sm" />,
    label: <bdi>{name}</bdi>,
    detail: <bdi dir="ltr">{email}</bdi>,
    trailing: (
      <span className="inline-flex items-center gap-1 text-sm text-ink-soft">
        {t({ message: 'Send', context: 'money' })}
        <ArrowUpRight aria-hidden className="size-4" strokeWidth={2} />
      </span>
    ),
    run: () => go(paths.transfer, { recipient: email }),
  })
  return {
    id: 'palette-contacts',
    title: t({ message: 'Contacts', comment: 'People to whom the customer has sent money' }),
    options: matches.map(optionOf),
  }
}

/** Returns the transactions that the server finds, and whether the search is running. */
function useTransactions(query: string, go: GoToScreen): { group: OptionGroup; isLooking: boolean } {
  const { t } = useLingui()
  const now = useBusinessNow()
  const isSearched = query.length >= SEARCHED_FROM
  const settledQuery = useSettled(query).slice(0, 100)
  const enabled = isSearched && settledQuery.length >= SEARCHED_FROM
  const list = useInfiniteQuery({ ...transactionsQuery({ q: settledQuery }), enabled })
  const transactions = isSearched ? (list.data?.pages[0]?.transactions ?? []) : []
  const optionOf = (transaction: Transaction): PaletteOption => ({
    id: `palette-transaction-${transaction.id}`,
    picture: (
      <span className="-m-1 scale-[0.82]">
        <TransactionIcon transaction={transaction} />
      </span>
    ),
    label: nameText(transaction.name),
    detail: shortDay(transaction.bookedAt, now),
    trailing: (
      <Money amountMinor={transaction.amountMinor} asset={transaction.asset} sign="always" className="font-medium" />
    ),
    run: () => go(paths.transactionDetail + searchWithId('', transaction.id), { transaction }),
  })
  const showAllOption: PaletteOption = {
    id: 'palette-all-transactions',
    picture: <Picture icon={Search} />,
    label: t`Show All in Transactions`,
    run: () => go(`${paths.transactions}?${new URLSearchParams({ q: settledQuery })}`),
  }
  const group = {
    id: 'palette-transactions',
    title: t`Transactions`,
    options:
      transactions.length === 0 ? [] : [...transactions.slice(0, MAX_SHOWN.transactions).map(optionOf), showAllOption],
  }
  return { group, isLooking: isSearched && (list.isFetching || settledQuery !== query) }
}

function useCommands(query: string, onKeys: () => void, close: () => void): OptionGroup {
  const { t } = useLingui()
  const { signOut } = useSignOut()
  const commands = [
    { id: 'palette-keys', label: t`Keyboard Shortcuts`, icon: Keyboard, run: onKeys },
    {
      id: 'palette-log-out',
      label: t`Log Out`,
      icon: LogOut,
      run: () => {
        close()
        signOut()
      },
    },
  ]
  return {
    id: 'palette-commands',
    title: t({ message: 'Actions', comment: 'A heading above a list of actions' }),
    options: findMatches(commands, query, ({ label }) => ({ label })).map(({ icon, ...command }) => ({
      ...command,
      picture: <Picture icon={icon} />,
    })),
  }
}

type Results = { groups: OptionGroup[]; isLooking: boolean }

/** Returns the options: the matches of `query`, or suggestions for an empty query. */
export function usePaletteResults(
  query: string,
  places: readonly NavigationItem[],
  act: { go: GoToScreen; onKeys: () => void; close: () => void },
): Results {
  const [firstPlaces, ...otherPlaces] = usePlaces(query, places, act.go)
  const contacts = useContacts(query, act.go)
  const { group: transactions, isLooking } = useTransactions(query, act.go)
  const commands = useCommands(query, act.onKeys, act.close)
  const groups = [...(firstPlaces ? [firstPlaces] : []), contacts, ...otherPlaces, transactions, commands]
  return { groups: groups.filter(({ options }) => options.length > 0), isLooking }
}

import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Keyboard, LogOut, type LucideIcon, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Transaction } from '#contract/accounts.ts'
import type { Contact } from '#contract/payments.ts'
import { TransactionIcon } from '#web/accounts/shared/transaction-icon.tsx'
import { searchWithId } from '#web/accounts/shared/chosen.ts'
import { transactionsQuery, useBusinessNow } from '#web/accounts/queries.ts'
import type { Group, Option } from '#web/app/palette/listbox.ts'
import { search } from '#web/app/palette/match.ts'
import type { Place } from '#web/app/shell/places.ts'
import { recentVisits } from '#web/app/shell/recent.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { nameText } from '#web/i18n/words.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { contactsQuery } from '#web/lib/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Money } from '#web/ui/money.tsx'

const TYPING_PAUSE_MS = 200
/** From so many letters on transactions are searched, of which so many are shown. */
const SEARCHED_FROM = 2
const SHOWN = { transactions: 5, contacts: 4, likelyContacts: 3, suggested: 3 }

/** Goes to a screen, handing it `state`. */
export type Go = (to: string, state?: object) => void

function Picture({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-full bg-muted text-ink-soft">
      <Icon className="size-[1.125rem]" strokeWidth={1.9} />
    </span>
  )
}

/** `text`, a moment after its last change. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function usePlaces(query: string, places: readonly Place[], go: Go): Group[] {
  const { t } = useLingui()
  const { pathname: here } = useLocation()
  const isSample = useQuery(meQuery).data?.mode === 'sample'
  const open = places.filter(({ sampleOnly }) => !sampleOnly || isSample)
  const optionOf = ({ path, label, icon }: Place): Option => ({
    id: `palette-${path}`,
    picture: <Picture icon={icon} />,
    label: t(label),
    run: () => go(path),
  })
  const title = t({ message: 'Go to', comment: 'Above a list of screens' })
  if (query !== '') {
    const found = search(open, query, ({ label, words }) => ({ label: t(label), others: words ? t(words) : '' }))
    return [{ id: 'palette-places', title, options: found.map(optionOf) }]
  }
  const elsewhere = open.filter(({ path }) => path !== here)
  const recent = recentVisits().flatMap((path) => elsewhere.filter((place) => place.path === path))
  // The first of all places are the likeliest where there are not enough recent ones.
  const suggested = [...new Set([...recent, ...elsewhere])].slice(0, SHOWN.suggested)
  const others = elsewhere.filter((place) => !suggested.includes(place))
  return [
    {
      id: 'palette-suggested',
      title: t({ message: 'Suggested', comment: 'Screens' }),
      options: suggested.map(optionOf),
    },
    { id: 'palette-places', title, options: others.map(optionOf) },
  ]
}

function useContacts(query: string, go: Go): Group {
  const { t } = useLingui()
  const contacts = useQuery(contactsQuery).data?.contacts ?? []
  const found =
    query === ''
      ? contacts.slice(0, SHOWN.likelyContacts)
      : search(contacts, query, ({ name, email }) => ({
          label: name,
          // Every address ends in .com: without the @ it is the name before it that is meant.
          others: query.includes('@') ? email : email.replace(/@.*/, ''),
        })).slice(0, SHOWN.contacts)
  const optionOf = ({ name, email, initials }: Contact): Option => ({
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
    title: t({ message: 'Contacts', comment: 'People that money was sent to' }),
    options: found.map(optionOf),
  }
}

/** Transactions as the bank finds them, and whether it is still looking. */
function useTransactions(query: string, go: Go): { group: Group; isLooking: boolean } {
  const { t } = useLingui()
  const now = useBusinessNow()
  const isSearched = query.length >= SEARCHED_FROM
  const settled = useSettled(query).slice(0, 100)
  const enabled = isSearched && settled.length >= SEARCHED_FROM
  const list = useInfiniteQuery({ ...transactionsQuery({ q: settled }), enabled })
  const found = isSearched ? (list.data?.pages[0]?.transactions ?? []) : []
  const optionOf = (transaction: Transaction): Option => ({
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
  const all: Option = {
    id: 'palette-all-transactions',
    picture: <Picture icon={Search} />,
    label: t`Show All in Transactions`,
    run: () => go(`${paths.transactions}?${new URLSearchParams({ q: settled })}`),
  }
  const group = {
    id: 'palette-transactions',
    title: t`Transactions`,
    options: found.length === 0 ? [] : [...found.slice(0, SHOWN.transactions).map(optionOf), all],
  }
  return { group, isLooking: isSearched && (list.isFetching || settled !== query) }
}

function useCommands(query: string, onKeys: () => void, close: () => void): Group {
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
    title: t({ message: 'Actions', comment: 'Above a list of what can be done' }),
    options: search(commands, query, ({ label }) => ({ label })).map(({ icon, ...command }) => ({
      ...command,
      picture: <Picture icon={icon} />,
    })),
  }
}

type Results = { groups: Group[]; isLooking: boolean }

/** What there is to choose from: everything that `query` finds, or what is likely where nothing is asked for. */
export function useResults(
  query: string,
  places: readonly Place[],
  act: { go: Go; onKeys: () => void; close: () => void },
): Results {
  const [first, ...others] = usePlaces(query, places, act.go)
  const contacts = useContacts(query, act.go)
  const { group: transactions, isLooking } = useTransactions(query, act.go)
  const commands = useCommands(query, act.onKeys, act.close)
  const groups = [...(first ? [first] : []), contacts, ...others, transactions, commands]
  return { groups: groups.filter(({ options }) => options.length > 0), isLooking }
}

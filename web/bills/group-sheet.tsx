import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupDetail } from '#contract/bills.ts'
import { GroupBillForm } from '#web/bills/group-bill-form.tsx'
import { AddPerson } from '#web/bills/add-person.tsx'
import { groupQuery, inviteToGroup, joinGroup, leaveGroup, settleGroup } from '#web/bills/queries.ts'
import { GroupBills } from '#web/bills/group-bills.tsx'
import { memberBalanceText, ownBalanceText } from '#web/bills/balance-text.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Shows a group: its balances, its bills and the button to settle up. `id` is null if no group is open. */
export function GroupSheet({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery({ ...groupQuery(id ?? ''), enabled: id !== null })
  return (
    <Sheet
      open={id !== null}
      addressed
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={data?.group.name ?? t`Group`}
      description={t`Balances and bills in this group`}
    >
      {data ? (
        <GroupView group={data.group} onLeft={onClose} />
      ) : error ? (
        <LoadFailure error={error} refetch={refetch} />
      ) : (
        <>
          <Loading label={t`Loading the group`} />
          <RowSkeletons count={3} />
        </>
      )}
    </Sheet>
  )
}

function GroupView({ group, onLeft }: { group: GroupDetail; onLeft: () => void }) {
  const [isAdding, setAdding] = useState(false)
  if (isAdding) return <GroupBillForm group={group} onClose={() => setAdding(false)} />
  return (
    <div className="flex flex-col gap-5">
      <div className="px-1">
        <p className="text-lg font-semibold tracking-tight">{ownBalanceText(group.balanceMinor)}</p>
        <Unpayable group={group} />
      </div>
      <Members group={group} />
      {group.joined ? (
        <>
          <SettleUp group={group} />
          {hasOthers(group) ? (
            <Button variant="secondary" onClick={() => setAdding(true)}>
              <Trans>Add a Bill I Paid</Trans>
            </Button>
          ) : (
            <p className="px-1 text-[0.9375rem] text-pretty text-ink-soft">
              <Trans>Once someone has joined, you can add the bills you paid.</Trans>
            </p>
          )}
          <GroupBills group={group} />
          <Invite group={group} />
          <Leave group={group} onLeft={onLeft} />
        </>
      ) : (
        <Invited group={group} onLeft={onLeft} />
      )}
    </div>
  )
}

/**
 * Shows the part of the customer's own balance that cannot be settled, because the other members have closed their accounts.
 */
function Unpayable({ group }: { group: GroupDetail }) {
  const ownId = group.members.find((member) => member.own)?.id
  const payableMinor = group.settleUp
    .filter(({ fromId, toId }) => fromId === ownId || toId === ownId)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const openMinor = Math.abs(group.balanceMinor) - payableMinor
  if (openMinor <= 0) return null
  const amount = money(openMinor, group.asset)
  return (
    <p className="text-[0.9375rem] text-pretty text-ink-soft">
      <Trans>{amount} of this can't be settled because someone has left.</Trans>
    </p>
  )
}

const hasOthers = ({ members }: GroupDetail): boolean => members.some(({ own, joined }) => joined && !own)

function Members({ group }: { group: GroupDetail }) {
  const { t } = useLingui()
  return (
    <Card>
      <ul className="divide-y divide-line">
        {group.members.map((member) => (
          <li key={member.id} className="@container px-4">
            <span className="flex min-h-16 items-center gap-3 py-2.5">
              <Avatar
                initials={member.initials}
                name={member.name}
                className="!size-11 !text-sm @max-[12rem]:!hidden"
              />
              <span className="min-w-0 flex-1">
                <span dir="auto" className="line-clamp-2 font-medium rtl:text-right">
                  {member.own ? t({ message: 'You', context: 'member of a group' }) : member.name}
                </span>
                <span className="block text-sm text-ink-soft">
                  {member.joined
                    ? memberBalanceText(member.balanceMinor)
                    : t({ message: 'Invited', context: 'member of a group' })}
                </span>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Shows the fewest payments that settle the group, and the button that requests them. */
function SettleUp({ group }: { group: GroupDetail }) {
  const { t } = useLingui()
  const { submit, busy } = useSubmission({
    send: settleGroup,
    loading: () => t`Settling up…`,
    success: () => ({ message: t`We've sent a request to everyone who owes money` }),
  })
  const nameOf = (id: string) => group.members.find((member) => member.id === id)
  const payments = group.settleUp.map(({ fromId, toId, amountMinor }) => {
    const [from, to] = [nameOf(fromId), nameOf(toId)]
    const amount = money(amountMinor, group.asset)
    const [payer, payee] = [from?.name ?? t`Someone who left`, to?.name ?? t`Someone who left`]
    const text = from?.own
      ? t`You pay ${payee} ${amount}`
      : to?.own
        ? t`${payer} pays you ${amount}`
        : t`${payer} pays ${payee} ${amount}`
    return { key: `${fromId}${toId}`, text }
  })
  if (payments.length === 0) return null
  return (
    <Section title={t`To Settle Up`}>
      <ul className="flex flex-col gap-1 px-1 pb-3 text-[0.9375rem]">
        {payments.map(({ key, text }) => (
          <li key={key} dir="auto">
            {text}
          </li>
        ))}
      </ul>
      <Button className="w-full" busy={busy} onClick={() => void submit({ id: group.id })}>
        {group.asked.length > 0 ? <Trans context="for money">Ask Again</Trans> : <Trans>Settle Up</Trans>}
      </Button>
    </Section>
  )
}

/** Invites people to the group. */
function Invite({ group }: { group: GroupDetail }) {
  const { t } = useLingui()
  const { submit } = useSubmission({
    send: inviteToGroup,
    loading: () => t`Inviting…`,
    success: () => ({ message: t`Invitation sent` }),
  })
  return (
    <Card>
      <AddPerson onAdd={({ id, name }) => void submit({ id: group.id, people: [{ address: id, name }] })} />
    </Card>
  )
}

type EndProps = { group: GroupDetail; onLeft: () => void }

function useLeave({ group, onLeft }: EndProps) {
  const { t } = useLingui()
  const { name } = group
  const { submit, busy } = useSubmission({
    send: leaveGroup,
    loading: () => t`Leaving…`,
    success: () => ({ message: t`You left ${name}` }),
  })
  const leave = async () => {
    if ((await submit({ id: group.id })) !== null) onLeft()
  }
  return { leave: () => void leave(), busy }
}

function Leave(props: EndProps) {
  const { leave, busy } = useLeave(props)
  return (
    <Button variant="quiet" busy={busy} onClick={leave}>
      <Trans>Leave Group</Trans>
    </Button>
  )
}

function Invited(props: EndProps) {
  const { t } = useLingui()
  const { name, id } = props.group
  const { leave, busy } = useLeave(props)
  const join = useSubmission({
    send: joinGroup,
    loading: () => t`Joining…`,
    success: () => ({ message: t`You joined ${name}` }),
  })
  return (
    <div className="flex flex-wrap gap-2.5">
      <Button className="flex-auto" busy={join.busy} onClick={() => void join.submit({ id })}>
        <Trans comment="A button that joins a group after an invitation">Join</Trans>
      </Button>
      <Button variant="secondary" className="flex-auto" busy={busy} onClick={leave}>
        <Trans context="an invitation">Decline</Trans>
      </Button>
    </div>
  )
}

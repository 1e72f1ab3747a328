import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Group } from '#contract/bills.ts'
import { groupsQuery } from '#web/bills/queries.ts'
import { ownBalanceText } from '#web/bills/balance-text.ts'
import { OVER_SCREEN, useAddressClose } from '#web/lib/address-sheet.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSheet = () => import('#web/bills/group-sheet.tsx')
const loadNew = () => import('#web/bills/new-group-sheet.tsx')

/** The query parameter with the id of the open group. */
const GROUP = 'group'

/** Lists the groups of people who share bills regularly. */
export function GroupList() {
  const { t } = useLingui()
  const { data } = useQuery(groupsQuery)
  const [search, setSearch] = useSearchParams()
  const openedId = search.get(GROUP)
  const [isMaking, setMaking] = useState(false)
  const open = (id: string) =>
    setSearch((before) => new URLSearchParams([...before, [GROUP, id]]), {
      state: OVER_SCREEN,
      preventScrollReset: true,
    })
  const close = useAddressClose(paths.splitBill)
  const sheet = useSheet(loadSheet, openedId !== null, close)
  const maker = useSheet(loadNew, isMaking, () => setMaking(false))
  return (
    <Section
      title={t`Groups`}
      action={
        <Button variant="quiet" size="small" className="-mx-3 !px-3" onClick={() => setMaking(true)}>
          {t`New Group`}
        </Button>
      }
    >
      {data && data.groups.length > 0 ? (
        <Card>
          <Rows of={data.groups}>{(group) => <GroupRow group={group} onOpen={() => open(group.id)} />}</Rows>
        </Card>
      ) : (
        <p className="px-1 text-[0.9375rem] text-pretty text-ink-soft">
          {t`For households and trips: add what everyone pays, then settle up in as few payments as possible.`}
        </p>
      )}
      {sheet && <sheet.GroupSheet id={openedId} onClose={close} />}
      {maker && <maker.NewGroupSheet open={isMaking} onOpenChange={setMaking} onMade={open} />}
    </Section>
  )
}

function GroupRow({ group, onOpen }: { group: Group; onOpen: () => void }) {
  const { t } = useLingui()
  return (
    <ButtonRow
      icon={UsersRound}
      tint={group.joined ? 'primary' : 'orange'}
      title={<bdi>{group.name}</bdi>}
      description={group.joined ? ownBalanceText(group.balanceMinor) : t`You're invited`}
      opens
      onClick={onOpen}
    />
  )
}

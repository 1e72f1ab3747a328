import { fold } from '#contract/folding.ts'

/**
 * The words that other banks use in their files, in the languages of this bank and of neighboring countries. All comparisons
 * use folded text.
 */

/**
 * Returns a pattern that matches any of some whole words in folded text. `anywhere`: words that also match within other text,
 * for languages that put no spaces between words.
 */
export function wordPattern(alternatives: string, anywhere?: string): RegExp {
  const alone = `(?<![\\p{L}\\p{N}])(?:${fold(alternatives)})(?![\\p{L}\\p{N}])`
  return new RegExp(anywhere === undefined ? alone : `${alone}|${fold(anywhere)}`, 'u')
}

/** Words in the headings of columns. */
export const HEADINGS = {
  date: wordPattern(
    '\\w*dat(?:um|o)|date|dates|day|time|timestamp|created|posted|datum|tag|buchungstag|buchungsdatum|buchung|fecha|dia|data|giorno|dzien|dag|jour|dato|datumi|datoer|paiva|paivamaara|tarih\\w*|tanggal|ngay\\w*|дата|ημερομηνια|zi',
    '日期|时间|交易日|日付|取引日|年月日|利用日|تاريخ|التاريخ|일자|날짜|거래일|วันที่|תאריך',
  ),
  /** Headings for the day on which the bank booked the payment. It may differ from the day of the purchase. */
  bookedDate: wordPattern(
    'book(?:ed|ing)|post(?:ed|ing)?(?: ?date)?|settle(?:d|ment)|completed|process(?:ed|ing)|buchung\\w*|gebucht|comptab\\w*|contab\\w*|registrazione|ksiegow\\w*|boek\\w*|lancamento|bokfor\\w*|bogfor\\w*|kirjaus\\w*|zauctov\\w*|konyvel\\w*|islem tarihi|обработки|проводки|списания',
    '入账日|记账日|계상일|تاريخ القيد',
  ),
  /** Headings for other days: the day from which interest counts, or the day on which a payment was started. */
  otherDate: wordPattern(
    'value date|value|valuta|valutadatum|valuta datum|wertstellung|wert|date de valeur|valeur|fecha valor|valor|data valuta|data valor|data wartosci|rentedatum|rentedato|valutadato|valutapvm|arvopaiva|valor tarihi|datum valuty|started date|started|дата валютирования',
    '起息日|起算日|تاريخ القيمة|تاريخ الاستحقاق',
  ),
  /** The payee or the payer. */
  payee: wordPattern(
    'name|payee|merchant(?: name)?|counterparty|beneficiary|recipient|to/from|empf(?:a|ae)nger|beguenstigter|begunstigter|auftraggeber|zahlungsempfanger|zahlungspflichtiger|gegenpartei|beneficiaire|commercant|comercio|beneficiario|ordenante|estabelecimento|naam|tegenpartij|tegenrekeninghouder|odbiorc\\w*|nadawc\\w*|kontrahent\\w*|esercente|partner ?name|partner|mottagare|modtager|mottaker|saaja|maksaja|saaja ?/ ?maksaja|protistrana|nazev protiuctu|nazev protistrany|prijemce|kedvezmenyezett|beneficiar|alici|получатель|плательщик|контрагент|δικαιουχος|penerima',
    '交易对方|对方户名|商户|店名|支払先|利用店|摘要内容|お取り扱い内容|المستفيد|التاجر',
  ),
  /** The bank's description of the payment. */
  name: wordPattern(
    'description|narrative|narration|verwendungszweck|beschreibung|libelle|intitule|nature|concepto|descripcion|detalle|descricao|historico|lancamento|omschrijving|opis|tytul|descrizione|beskrivelse|beskrivning|tekst|rubrik|selitys|viesti|popis|poznamka|zprava pro prijemce|kozlemeny|descriere|detalii|aciklama|описание|назначение|назначение платежа|операция|περιγραφη|keterangan|uraian|dien giai|noi dung',
    '摘要|对方|说明|備考|内容|お取り扱い内容|الوصف|البيان|التفاصيل|적요|내용|รายการ|תיאור|פרטים',
  ),
  /** Headings for a further description. It is used if the file has no better one. */
  note: wordPattern(
    'memo|details?|causale|operazione|operacion|operation|transaction|reference|particulars|buchungstext|mededelingen|comment|note|label|texte?|text|remarks',
    '备注|説明|メモ|ملاحظات',
  ),
  /** The holder of the account, as opposed to the payee. */
  ownName: wordPattern(
    'account|acct|cardholder|card ?member|holder|(?:name )?on card|customer|owner|konto\\w*|karteninhaber|inhaber|titulaire|titular|intestatario|houder|rubrieknaam|product|file|bank|banque|banco|banca|banka',
    '持卡人|名義|صاحب',
  ),
  /** Numbers, codes and addresses of either party. */
  identifier: wordPattern(
    'iban|bic|swift|blz|bankleitzahl|bic/swift|id|uuid|number|no|nr|nummer|numero|num|code|kod|mcc|address|adresse?|adres|indirizzo|endereco|direccion|city|country|ort|land|pays|rekeningnummer|tegenrekening|tegenrekeningnummer|kontonummer|tilinumero|cislo|szamlaszam|hesap no|номер|счет|inn|инн',
    '账号|卡号|流水号|口座番号|番号|رقم',
  ),
  amount: wordPattern(
    'amount|betrag|umsatz|importe?|importo|montant|valor|bedrag|kwota|summe|suma|net|total|value|monto|cantidad|quantia|sum|belopp|belob|belop|maara|castka|objem|osszeg|suma|tutar|tutari|сумма|ποσο|jumlah|nominal|so tien|znesek|iznos',
    '金额|金額|المبلغ|مبلغ|금액|จำนวนเงิน|סכום',
  ),
  moneyOut: wordPattern(
    'debits?|drs?|withdrawals?|withdrawn|paid out|money out|spent|outflows?|expenses?|charges?|soll|ausgaben?|ausgang|belastung(?:en)?|lastschrift(?:en)?|abbuchung(?:en)?|depenses?|sorties?|debito|debitos|cargos?|gastos?|egresos?|retiros?|uscite?|uscita|addebit[oi]|dare|saidas?|af|uit|afschrijving(?:en)?|debet|uitgaven|wydatki|wydatek|obciazeni[ae]|wyplat[ay]|uttag|utbetaling|havet|ud|ut|ut fra konto|otto|panot? pois|vydaje?|vydani|vyplaceno|odepsano|terheles|kiadas|cheltuieli|borc|gider|дебет|расход|списание|χρεωση|keluar|ghi no|no',
    '支出|出金|引出|引出し|引き出し|支払い?金額|支払い?額|借方|مدين|سحب|مسحوبات|خصم|출금|찾으신금액|ถอน|חובה',
  ),
  moneyIn: wordPattern(
    'credits?|crs?|deposits?|paid in|money in|received|inflows?|income|haben|einnahmen?|eingang|gutschrift(?:en)?|recettes?|entrees?|credito|creditos|abonos?|ingresos?|depositos?|entrate?|entrata|accredit[oi]|avere|entradas?|bij|bijschrijving(?:en)?|ontvangsten|wplyw|wplywy|uznani[ae]|wplat[ay]|insattning|innbetaling|indsat|ind|inn|inn pa konto|pano|prijmy?|pripsano|jovairas|bevetel|venituri|alacak|gelir|кредит|приход|поступление|зачисление|πιστωση|masuk|ghi co|co',
    '收入|存入|入金|預入|預け入れ|預かり金額|預り金額|贷方|貸方|دائن|إيداع|ايداع|إيداعات|입금|맡기신금액|ฝาก|זכות',
  ),
  /** Numbers that are not the amount of a payment. */
  notAmount: wordPattern(
    'balance|bal|saldo|solde|kontostand|guthaben|stan|account|acct|konto|kontonummer|compte|cuenta|conto|conta|rekening|iban|bic|blz|id|number|no|nr|nummer|numero|ref|reference|referenz|check|cheque|card|karte|code|mcc|rate|kurs|taux|tasa|tipo de cambio|exchange|cambio|koers|kurs|vat|tax|zip|points|quantity|line|row|bakiye|bakiyesi|zustatek|egyenleg|sold|остаток|баланс|υπολοιπο|so du|saldoet|kontot?|tilin?|til konto|fra konto|ucet|uctu|szamla|cont|hesap|счет|lan|blokady|blokada',
    '余额|餘額|残高|差引残高|账号|账户|帳號|口座|流水号|卡号|番号|الرصيد|رصيد|حساب|رقم|سعر|잔액|ยอดคงเหลือ|יתרה',
  ),
  currency: wordPattern(
    'currency|ccy|curr|wahrung|devise|moneda|divisa|valuta|moeda|munt|muntsoort|valutacode|waluta|valuutta|mena|penznem|para birimi|doviz|валюта|νομισμα|mata uang|loai tien',
    '币种|货币|幣別|通貨|العملة|عملة',
  ),
  /** Columns with the original amount of a payment abroad. */
  original: wordPattern(
    'original|foreign|local|instructed|source|fremd\\w*|ursprung\\w*|origine|etranger\\w*|extranjer\\w*|orig|originale?|oryginal\\w*',
    '原币|外币|現地|外貨|الأصلي',
  ),
  fee: wordPattern(
    'fees?|charge|commission|gebuhr(?:en)?|entgelt(?:e)?|frais|comision(?:es)?|commission[ie]|tarifa|taxa|tarief|kosten|oplat[ay]|prowizj[ae]',
    '手续费|手數料|手数料|رسوم|عمولة',
  ),
  /** Columns with the amount that the account was charged for a payment abroad. */
  booked: wordPattern(
    'booked|posted|settled|billing|account currency|kontowahrung|devise du compte|moneda de la cuenta|valuta (?:del )?conto|moeda da conta|valuta rekening|rekeningvaluta|walu\\w+ rachunku|kontovaluta|kontots valuta|tilin valuutta|mena uctu',
    '记账|入账|本币',
  ),
  net: wordPattern('net|netto|neto|liquido|nett', '净额|صافي'),
  direction: wordPattern(
    'debit ?/ ?credit|credit ?/ ?debit|dr ?/ ?cr|cr ?/ ?dr|d ?/ ?c|c ?/ ?d|s ?/ ?h|h ?/ ?s|soll ?/ ?haben|af ?/? ?bij|bij ?/? ?af|direction|sign|cdtdbtind|dare ?/ ?avere|cargo ?/ ?abono|borc ?/ ?alacak|creditdebet|debet ?/? ?credit|debet ?/ ?kredit|kredit ?/ ?debet|дебет ?/ ?кредит|sens|type|transaction type|indicator|kz|tipo|typ|rodzaj|in ?/ ?out',
    '收支|借贷|入出金|مدين ?/ ?دائن',
  ),
  state: wordPattern(
    'state|status|statut|stato|estado|situacao|stan|tila|stav|allapot|durum|статус',
    '状态|狀態|ステータス|الحالة|حالة',
  ),
} as const

/** The complete cell texts of a column of directions. */
const IN =
  'in|credit|cr|crdt|c|a|av|h|haben|gutschrift|eingang|bij|abono|ingreso|credito|avere|entrata|accredito|entrada|credit entry|deposit|income|inflow|received|incoming|money in|paid in|uznanie|wplyw|wplata|recette|entree|versement|kredit|pano|insattning|insatt|indbetaling|innbetaling|prijem|jovairas|alacak|кредит|приход|пополнение|зачисление|πιστωση|masuk|입금|ฝาก|זכות|+|入金|收入|存入|贷|貸|收|دائن|إيداع|وارد'
const OUT =
  'out|debit|dr|db|dbit|d|s|soll|lastschrift|belastung|ausgang|af|uit|cargo|gasto|egreso|debito|dare|uscita|addebito|saida|debet|withdrawal|expense|outflow|sent|outgoing|money out|paid out|obciazenie|wydatek|wyplata|depense|sortie|otto|uttag|udbetaling|utbetaling|vydaj|terheles|borc|дебет|расход|списание|χρεωση|keluar|출금|ถอน|חובה|-|出金|支出|取出|借|支|付|مدين|سحب|صادر'
const setOf = (list: string): ReadonlySet<string> => new Set(list.split('|').map(fold))
const DIRECTIONS = { in: setOf(IN), out: setOf(OUT) } as const

export type EntryDirection = 'in' | 'out'

/** Returns the direction if the whole text of a cell is a word for one, or null otherwise. */
export function entryDirectionOf(cell: string): EntryDirection | null {
  const folded = fold(cell).replaceAll(/[.()]/g, '').replaceAll('−', '-')
  if (DIRECTIONS.in.has(folded)) return 'in'
  return DIRECTIONS.out.has(folded) ? 'out' : null
}

/** Words for the state of a payment. */
const PENDING = wordPattern(
  'pending|authori[sz]ed|authori[sz]ation|processing|in progress|scheduled|uncleared|unposted|on hold|hold|held|placed|created|vorgemerkt|vorgemerkte?r?|ausstehend|en attente|a venir|en cours|pendiente|en proceso|retenido|in sospeso|in attesa|in corso|non contabilizzato|pendente|em processamento|em aberto|agendado|in behandeling|gereserveerd|oczekujac\\w*|w toku|nierozliczon\\w*|blokada|pdng|info|offen|open|reserver\\w*|reservation\\w*|venter|vantar|kommande|odottaa|varaus|cekajici|ceka|nezauctovan\\w*|fuggo|fuggoben|in asteptare|bekliyor|beklemede|provizyon|ожидает|ожидание|в обработке|заблокировано|εκκρεμ\\w*|menunggu|cho xu ly',
  '处理中|待处理|未入账|交易中|处理|待入账|未確定|処理中|保留|معلق|قيد المعالجة|قيد الانتظار',
)
const REVERTED = wordPattern(
  'reverted|reversed|declined|denied|failed|unclaimed|blocked|removed|cancell?ed|voided?|rejected|refused|expired|abgelehnt|storniert|abgebrochen|fehlgeschlagen|refuse|annule|rejete|echoue|rechazad[oa]|cancelad[oa]|anulad[oa]|fallid[oa]|revertid[oa]|rifiutat[oa]|annullat[oa]|stornat[oa]|fallit[oa]|recusad[oa]|estornad[oa]|geweigerd|geannuleerd|mislukt|teruggedraaid|odrzucon\\w*|anulowan\\w*|wycofan\\w*|nieudan\\w*|afvist|annulleret|avvisad|avbruten|avvist|kansellert|hylatty|peruttu|zamitnut\\w*|zrusen\\w*|stornovan\\w*|elutasit\\w*|visszavont|respins\\w*|anulat\\w*|reddedildi|iptal\\w*|отклонен\\w*|отменен\\w*|возврат отменен|gagal|that bai',
  '已撤销|已取消|失败|已退回|已关闭|交易关闭|取消|失敗|拒否|ملغ[ىيا]|مرفوض|فشل',
)
const BOOKED = wordPattern(
  'completed|complete|accepted|akzeptiert|angenommen|acceptee?|aceptad[oa]|accettat[oa]|aceit[oa]|geaccepteerd|zaakceptowan\\w*|godkendt|godkand|godkjent|hyvaksytty|prijat\\w*|elfogadva|acceptat\\w*|onaylandi|issued|credited|charged|sent|received|transferred|partially refunded|refunded|posted|booked|booking|cleared|settled|success\\w*|processed|executed|done|ok|paid|confirmed|reconciled|gebucht|ausgefuhrt|abgeschlossen|erledigt|effectue|comptabilise|execute|realise|termine|completad[oa]|realizad[oa]|contabilizad[oa]|ejecutad[oa]|liquidad[oa]|completat[oa]|eseguit[oa]|contabilizzat[oa]|concluid[oa]|efetivad[oa]|pag[oa]|verwerkt|geboekt|voltooid|uitgevoerd|zaksiegowan\\w*|zrealizowan\\w*|rozliczon\\w*|wykonan\\w*|book|active|udfort|gennemfort|bokford|bokfort|genomford|utford|utfort|gjennomfort|kirjattu|toteutunut|suoritettu|zauctovan\\w*|proveden\\w*|vyrizen\\w*|teljesult|konyvelt|lekonyvelt|finalizat\\w*|efectuat\\w*|tamamlandi|gerceklesti|исполнен\\w*|выполнен\\w*|проведен\\w*|завершен\\w*|ολοκληρ\\w*|berhasil|selesai|thanh cong',
  '成功|已完成|已入账|交易成功|支付成功|确定|完了|確定|مكتمل|منفذ|ناجح',
)

export type EntryState = 'booked' | 'pending' | 'reverted'

/** Returns the state of a payment that a cell gives, or null if it gives none. */
export function entryStateOf(cell: string): EntryState | null {
  const folded = fold(cell)
  if (folded.length > 40) return null
  const negatedText = /^(?:not|non|nicht|niet|nie|no|nao|ikke|inte|ei|ne|nem) (?:yet )?(.*)$/.exec(folded)?.[1]
  if (negatedText !== undefined && BOOKED.test(negatedText)) return 'pending'
  if (/refunded/.test(folded)) return 'booked'
  if (REVERTED.test(folded)) return 'reverted'
  if (PENDING.test(folded)) return 'pending'
  return BOOKED.test(folded) ? 'booked' : null
}

const WHEN = '(?: (?:on|as of|as at|at|per|zum|vom|am|au|al|a|del?|do|em|op|na|z|dnia)\\b.{0,30}| [\\d./-]{6,10})?'
const BALANCE = new RegExp(
  `^(?:${fold(
    [
      '(?:open|opening|close|closing|ending|beginning|starting|previous|prior|current|available|final|initial|statement|new|old|daily|ledger|running)? ?balance(?: (?:brought|carried) forward| b/?f| c/?f)?',
      'b/?f|c/?f|(?:brought|carried) forward|(?:grand |sub)?totals?(?: (?:debits?|credits?|withdrawals?|deposits?|charges|payments|purchases|fees|interest|spent|received|in|out))?|sum',
      '(?:anfangs|end|schluss|start|eroffnungs|abschluss|tages|alter|neuer|vortrags)-?\\s?(?:saldo|kontostand|bestand)|saldovortrag|saldo|kontostand|summe|gesamt(?:summe)?',
      "(?:ancien |nouveau )?solde(?: (?:initial|final|precedent|anterieur|crediteur|debiteur|d'ouverture|de cloture|de depart))?|report(?: a nouveau)?",
      'saldo (?:anterior|inicial|final|actual|disponible|previo|iniziale|finale|precedente|contabile|disponibile|do dia|atual|disponivel|em conta|bloqueado|poczatkowe|koncowe|biezace)|s a l d o|saldo total(?: disponivel)? do dia',
      '(?:ingaende|utgaende|indgaende|udgaende|inngaende|utgaende|primo|ultimo) ?saldo|alkusaldo|loppusaldo|pocatecni zustatek|konecny zustatek|zustatek|nyito egyenleg|zaro egyenleg|sold (?:initial|final)|devreden bakiye|acilis bakiyesi|kapanis bakiyesi|(?:входящий|исходящий) остаток|остаток|итого|celkem|osszesen|toplam|yhteensa|summa',
      '(?:begin|eind|oud|nieuw|start)\\s?saldo|(?:vorig|huidig|beschikbaar) saldo|totaal|totale|totali|totaux|totales|totais|suma|razem',
      '期初余额|期末余额|上期余额|本期余额|承前页|余额|合计|总计|小计|前月繰越|繰越残高|繰越|期首残高|期末残高|残高|合計|小計|次月繰越',
      'الرصيد (?:الافتتاحي|الختامي|السابق|الحالي)|رصيد (?:افتتاحي|ختامي|سابق|أول المدة|اخر المدة)|الرصيد|رصيد|المجموع|الإجمالي',
    ].join('|'),
  )})${WHEN}[:.]?$`,
  'u',
)

/** Returns whether a line states a balance or a total instead of a payment. */
export const isBalance = (name: string): boolean => BALANCE.test(fold(name))

/** Names of payments that are money in, even if their amounts have the sign of money out. */
export const INCOMING_WORDS = wordPattern(
  'payroll|salary|wages?|direct dep(?:osit)?|deposit|refund(?:ed)?|return|reversal|cashback|interest (?:paid|earned|payment)|dividend|employer|payment thank you|payment received|thank you|autopay|automatic payment|payments and credits|online payment|gehalt|lohn|rente|gutschrift|erstattung|arbeitgeber|salaire|paie|remboursement|avoir|employeur|nomina|salario|sueldo|reembolso|devolucion|abono|stipendio|rimborso|accredito|estorno|provento|salaris|loon|terugbetaling|werkgever|wynagrodzenie|pensja|zwrot|wyplata wynagrodzenia',
  '工资|薪资|代发|退款|給与|給料|賞与|返金|振込入金|راتب|استرداد|إيداع راتب',
)

/** Names of payments that are spending. */
export const OUTGOING_WORDS = wordPattern(
  'purchase|sale|pos purchase|card purchase|debit card|withdrawal|atm withdrawal|cash advance|einkauf|kauf|kartenzahlung|bargeldabhebung|achat|paiement carte|retrait|compra|compra con tarjeta|acquisto|prelievo|prelevamento|compra no debito|saque|aankoop|betaalautomaat|geldopname|zakup|platnosc karta|wyplata z bankomatu|kortkop|kortkob|varekop|korttiosto',
  '消费|取现|お買い物|引き出し|مشتريات|سحب نقدي',
)

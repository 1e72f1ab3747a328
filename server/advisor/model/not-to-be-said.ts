import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { IS_UNSPACED } from '#server/advisor/questions/normalise.ts'

/**
 * What a payment's note may talk a model into: asking for what opens an account, or sending the customer somewhere. Patterns
 * of words, in small letters without accents, as `normalised` writes them.
 */
type NotToBeSaid = {
  /** What a customer keeps to themselves. The advisor has no use for it, so it does not speak of it at all. */
  secrets: string
  /** How people write the dot of an address as a word, and where else they would go on talking. */
  dot: string
  elsewhere: string
}

/** A language that is new to the bank has to say these here. */
const NOT_TO_BE_SAID: Readonly<Record<Language, NotToBeSaid>> = {
  en: {
    secrets:
      "(?:phone|mobile|passport|id) numbers?|date of birth|identity (?:card|document)|(?:photo|picture) of your|selfie|digits|numbers? (?:that )?we (?:sent|text\\p{L}*)|safe account|(?:verify|confirm) (?:your|the) (?:account|identity|details|data)|pass ?-?words?|pass ?-?codes?|pass ?-?phrases?|pins?|pin ?-?codes?|codes?|otps?|cvv2?|cvc2?|credentials?|log ?-?in details?|card(?:'s)? (?:numbers?|details?|data)|(?:number|digits|back|front) (?:of|on) (?:your|the) card|expiry|expiration date|ssn|social security|maiden name|(?:seed|recovery) (?:phrase|words)|(?:account|routing) number|secret (?:question|word|number)s?|security token|one-time",
    dot: 'dot|slash',
    elsewhere:
      '(?:call|phone|ring|text|email|e-mail|message|write to|dial) (?:us|me|him|her|them|this|the|our|my)|web ?-?sites?|web ?-?pages?|links?|urls?|hotline',
  },
  es: {
    secrets:
      'numero de (?:su |tu )?telefono|(?:su|tu) telefono|fecha de nacimiento|pasaporte|(?:su|tu) dni|digitos|clave que|cuenta segura|(?:numero|cifras) que (?:\\p{L}+ )?(?:recib|envi|mand)\\p{L}*|(?:confirm|verifi)\\p{L}* (?:su|tu) (?:identidad|cuenta)|contrasenas?|(?:su|tu) clave|claves? (?:de|secreta|personal|dinamica)|pin|codigos?|cvv|cvc|credenciales|(?:numeros?|datos) de (?:su|tu|la) tarjeta|(?:numeros?|datos) de tarjeta|caducidad|numero de cuenta|palabra secreta|frase semilla',
    dot: 'punto',
    elsewhere:
      '(?:llame|llama (?:al?|este)|llamenos|llamanos|escribanos|escribenos|contactenos|marque)|sitios? web|paginas? web|enlaces?|correo electronico',
  },
  fr: {
    secrets:
      "numero de (?:telephone|portable)|date de naissance|passeport|carte d'identite|(?:numero|chiffres) recus?|compte securise|(?:confirm|verifi)\\p{L}* (?:votre|ton) (?:identite|compte)|mots? de passe|pin|codes?|cvv|cvc|cryptogramme|identifiants?|(?:numeros?|donnees|coordonnees) de (?:votre|ta|la) carte|(?:numeros?|donnees) de carte|date d'expiration|numero de compte|phrase (?:secrete|de recuperation)",
    dot: 'point',
    elsewhere:
      '(?:appelez|appelle (?:le|ce|nous)|ecrivez|ecris|contactez|composez)|sites? (?:web|internet)|pages? web|liens?|(?:e-?mail|courriel)s?',
  },
  de: {
    secrets:
      '\\p{L}*telefonnummer|handynummer|geburtsdatum|\\p{L}*ausweis\\p{L}*|reisepass|ziffern|sicherheitskonto|sicheres konto|(?:bestatig|verifizier)\\p{L}* (?:sie )?(?:ihre|deine|ihr|dein) (?:identitat|konto)|\\p{L}*(?:pass|kenn)wort\\p{L}*|\\p{L}*passworter\\p{L}*|\\p{L}*pins?|\\p{L}*codes?|(?:\\p{L}+-)?tan-?(?:code|nummer|liste)?s?|cvv|cvc|prufziffer|prufnummer|zugangsdaten|anmeldedaten|login-?daten|kartennummer|kartendaten|nummer (?:ihrer|deiner|der) karte|ablaufdatum|kontonummer|geheimzahl|geheimnummer|sicherheitsfrage',
    dot: 'punkt',
    elsewhere:
      '(?:rufen|rufe|ruf) (?:sie )?(?:uns|mich|ihn|sie|diese|die|unter|bitte|an)|web-?seiten?|web-?sites?|links?|e-?mails?|(?:schreiben|schreibe|schreib) (?:sie )?(?:uns|mir|an)|hotline',
  },
  it: {
    secrets:
      "numero di (?:telefono|cellulare)|data di nascita|passaporto|carta d'identita|cifre (?:che|ricevut)\\p{L}*|conto sicuro|(?:conferm|verific|verifich)\\p{L}* (?:la sua|la tua|il suo|il tuo) (?:identita|conto)|password|parol[ae] d'ordine|pin|codic[ei]|otp|cvv|cvc|credenziali|(?:numer[oi]|dati) (?:dell[ae] |di )?(?:su[ao] |tu[ao] )?cart[ae]|data di scadenza della carta|numero di conto|frase (?:segreta|di recupero)",
    dot: 'punto',
    elsewhere:
      '(?:(?<!si )chiam[ia] (?:il|lo|questo|al)|chiamaci|ci chiami|scriva|scrivici|ci scriva|contattaci|contattateci)|sit[oi] web|pagin[ae] web|link|e-?mail',
  },
  pt: {
    secrets:
      'numero d[eo] (?:\\p{L}+ )?(?:telefone|celular|telemovel)|data de nascimento|passaporte|cpf|digitos|conta segura|(?:confirm|verifi)\\p{L}* (?:a )?(?:sua|tua) (?:identidade|conta)|senhas?|palavras?-?passe|palavras?-?chave|chave pix|pin|codigos?|cvv|cvc|credenciais|(?:numeros?|dados) d[eo] (?:seu |teu )?cartao|validade do cartao|numero d[ae] conta|frase (?:secreta|de recuperacao)',
    dot: 'ponto',
    elsewhere:
      '(?:ligue (?:para|ao|ja|agora)|ligue-(?:me|nos)|telefone (?:para|ao)|escreva|contate|contacte)|sites?|paginas? (?:web|da internet)|links?|e-?mails?',
  },
  nl: {
    secrets:
      'telefoonnummer|mobiele nummer|geboortedatum|paspoort|identiteits\\p{L}+|bsn|cijfers uit|veilige rekening|(?:bevestig|verifieer) (?:je|uw) (?:identiteit|rekening)|wachtwoord(?:en)?|toegangscode|pin|pincodes?|\\p{L}*codes?|cvv|cvc|inloggegevens|kaartnummers?|kaartgegevens|nummer van (?:je|uw|de) (?:kaart|pas)|vervaldatum|rekeningnummer|herstelzin',
    dot: 'punt',
    elsewhere:
      '(?:bel|belt|bel u) (?:ons|mij|me|naar|met|dit|het)|web-?sites?|webpagina|links?|e-?mails?|mail (?:ons|mij|naar)',
  },
  pl: {
    secrets:
      'numer\\p{L}* telefonu|dat\\p{L} urodzenia|pesel|paszport\\p{L}*|dow(?:od|odu) osobist\\p{L}*|cyfr\\p{L}* z|bezpieczn\\p{L}+ kont\\p{L}+|(?:potwierdz|zweryfikuj) (?:swoja |swoje )?(?:tozsamosc|konto)|hasl(?:o|a|em|u|ami)|pin(?:u|em|ow)?|kod(?:u|y|em|ow|owi|zie)?|cvv|cvc|dane (?:do )?logowania|danych (?:do )?logowania|(?:numer\\p{L}*|dan(?:e|ych)) (?:\\p{L}+ )?kart(?:y|e)|date waznosci|data waznosci|numer\\p{L}* (?:\\p{L}+ )?(?:konta|rachunku)|fraz\\p{L}* odzyskiwania',
    dot: 'kropka',
    elsewhere:
      '(?:zadzwon|zadzwonic|zadzwoni|dzwon|napisz|skontaktuj)|stron(?:a|e|ie|y) (?:internetow\\p{L}*|www)|link(?:u|i|iem|ow)?|e-?mail\\p{L}*',
  },
  zh: {
    secrets:
      '手机号|电话号|身份证|护照|出生日期|安全账户|短信|验证您的|核实您的身份|密码|口令|验证码|校验码|安全码|动态码|卡号|账号|卡片信息|有效期|助记词',
    dot: '点(?=(?:com|net|org|cn))',
    elsewhere: '致电|拨打|打电话|网站|网址|链接|邮箱|邮件|加微信',
  },
  ja: {
    secrets:
      '電話番号|マイナンバー|生年月日|パスポート|免許証|本人確認|安全な口座|パスワード|パスコード|暗証番号|認証番号|認証コード|確認コード|コード|カード番号|口座番号|有効期限|セキュリティ番号|合言葉|ピン番号',
    dot: 'ドット',
    elsewhere: '電話(?:して|を|ください)|お電話|ウェブサイト|(?<!イン)サイト|リンク|メール',
  },
  ar: {
    secrets:
      'رقم (?:ال)?(?:هاتف|جوال|موبايل)ك?|(?:ال)?(?:ايبان|انبان)|تاريخ (?:ال)?ميلادك?|جواز (?:ال)?سفرك?|(?:ال)?هويتك|بطاقه الهويه|حساب امن|رساله نصيه|الارقام التي|كلم(?:ه|ات) (?:ال)?(?:مرور|سر)|رقمك السري|(?:ال)?رقم (?:ال)?سري|رمز|رموز|الرمز|رمزك|كود|(?:رقم|ارقام|بيانات|تفاصيل) (?:ال)?بطاق(?:ه|تك)|رقم (?:ال)?حساب(?:ك)?|بيانات (?:ال)?(?:دخول|تسجيل)|cvv|cvc|pin',
    dot: 'نقطه|دوت',
    elsewhere: 'اتصل|اتصلي|راسل|راسلنا|موقع|رابط|الرابط|الموقع|بريد',
  },
}

/** Where people talk that is not the bank, by their names in any language. */
const MESSENGERS = 'whats ?app|telegram|viber|wechat|messenger|微信|واتس ?اب|تيليجرام|تلغرام'
/** What somebody asks for by the same name in all languages, or has a customer install who is to let them in. */
const ASKED_EVERYWHERE = 'iban|bic|sms|qr|any ?desk|team ?viewer|rust ?desk'
/** What ends an address, after a dot or its word. */
const ENDINGS = 'com|net|org|io|info|biz|app|xyz|link|site|online|bank|example'
/** Those of them that are not words too, so that a dot before one is enough. */
export const BARE_ENDINGS = 'com|net|org|io|info|biz|xyz'

function anyOf(kind: keyof NotToBeSaid): string {
  const spoken = LANGUAGE_CODES.map((language) => NOT_TO_BE_SAID[language][kind])
  const spaced = spoken.filter((words) => !IS_UNSPACED.test(words)).join('|')
  // Arabic joins small words to the next.
  return [
    String.raw`(?<!\p{L})(?:ال|و|ب|ل|ف)*(?:${spaced})(?!\p{L})`,
    ...spoken.filter((words) => IS_UNSPACED.test(words)),
  ].join('|')
}

const SECRET = new RegExp(
  String.raw`${anyOf('secrets')}|(?<!\p{Script=Latin})(?:${ASKED_EVERYWHERE})(?!\p{Script=Latin})`,
  'u',
)
const ELSEWHERE = new RegExp(`${anyOf('elsewhere')}|${MESSENGERS}`, 'u')
/** 'evil dot com', 'evil . com'. */
const SPELLED = new RegExp(
  String.raw`\p{L} ?(?:${anyOf('dot')}) ?(?:${ENDINGS})(?!\p{L})|\p{L}(?: [.。] ?|[.。])(?:${BARE_ENDINGS})(?!\p{L})`,
  'u',
)

/** Whether a text, normalised, speaks of what only the customer knows. */
export const asksForSecrets = (text: string): boolean => SECRET.test(text)

/** Whether a text, normalised, sends the customer to a place or a person that the bank has not named. */
export const leadsElsewhere = (text: string): boolean => ELSEWHERE.test(text) || SPELLED.test(text)

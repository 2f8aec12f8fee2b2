/**
 * Names of months and weekdays in some languages, in lower case, as Unicode's locale data (CLDR) has them: beside a
 * number and alone, long and short. A table rather than the engine's own names, so that every engine finds the same.
 * Short forms that are words of their own (`set`, `out`, `man`) are left out.
 */

/** From January on. */
export const monthNames: readonly string[] = [
  'january jan januar janvier janv enero ene gennaio janeiro januari tammikuuta tammikuu tammi stycznia styczeń ledna leden января январь янв січня січень січ ocak ιανουαρίου ιαν ינואר ינו׳ يناير जनवरी जन॰ มกราคม ม.ค 一月',
  'february feb februar février févr febrero febbraio fevereiro februari helmikuuta helmikuu helmi lutego luty února únor февраля февраль февр лютого лютий лют şubat φεβρουαρίου φεβ פברואר פבר׳ فبراير फ़रवरी फ़र॰ กุมภาพันธ์ ก.พ 二月',
  'march mar märz mär mars marzo março maart marts maaliskuuta maaliskuu maalis marca marzec března březen марта март мар березня березень бер μαρτίου μαρ מרץ مارس मार्च มีนาคม มี.ค maret 三月',
  'april apr avril abril abr aprile huhtikuuta huhtikuu huhti kwietnia kwiecień dubna duben апреля апрель апр квітня квітень квіт nisan απριλίου απρ אפריל אפר׳ أبريل अप्रैल เมษายน เม.ย 四月',
  'may mai mayo maggio maio toukokuuta toukokuu touko maja května květen мая май травня травень трав mayıs μαΐου μαΐ מאי مايو मई พฤษภาคม พ.ค 五月',
  'june jun juni juin junio giugno junho kesäkuuta kesäkuu kesä czerwca czerwiec června červen июня июнь июн червня червень черв haziran ιουνίου ιουν יוני يونيو जून มิถุนายน มิ.ย 六月',
  'july jul juli juillet juil julio luglio julho heinäkuuta heinäkuu heinä lipca lipiec července červenec июля июль июл липня липень лип temmuz ιουλίου ιουλ יולי يوليو जुलाई जुल॰ กรกฎาคม ก.ค 七月',
  'august aug août agosto ago augustus augusti elokuuta elokuu sierpnia sierpień srpna srpen августа август авг серпня серпень серп ağustos αυγούστου αυγ אוגוסט אוג׳ أغسطس अगस्त अग॰ สิงหาคม ส.ค agustus 八月',
  'september sep sept septembre septiembre settembre setembro syyskuuta syyskuu syys września wrzesień září сентября сентябрь сент вересня вересень вер eylül σεπτεμβρίου σεπ ספטמבר ספט׳ سبتمبر सितंबर सित॰ กันยายน ก.ย 九月',
  'october oct oktober okt octobre octubre ottobre outubro lokakuuta lokakuu loka października październik října říjen октября октябрь окт жовтня жовтень жовт ekim οκτωβρίου οκτ אוקטובר אוק׳ أكتوبر अक्टूबर अक्टू॰ ตุลาคม ต.ค 十月',
  'november nov novembre noviembre novembro marraskuuta marraskuu marras listopada listopad listopadu ноября ноябрь нояб листопада листопад лист kasım νοεμβρίου νοε נובמבר נוב׳ نوفمبر नवंबर नव॰ พฤศจิกายน พ.ย 十一月',
  'december dec dezember dez décembre déc diciembre dicembre dezembro desember joulukuuta joulukuu joulu grudnia grudzień prosince prosinec декабря декабрь дек грудня грудень груд aralık δεκεμβρίου δεκ דצמבר דצמ׳ ديسمبر दिसंबर दिस॰ ธันวาคม ธ.ค 十二月',
]

/** From Sunday on. */
export const weekdayNames: readonly string[] = [
  'sunday sun sonntag dimanche domingo domenica zondag söndag søndag sunnuntai niedziela niedz neděle воскресенье вс неділя нд pazar κυριακή κυρ الأحد रविवार रवि วันอาทิตย์ อาทิตย์ minggu 日曜日 일요일 星期日 周日',
  'monday mon montag lundi lunes lunedì segunda-feira maandag måndag mandag maanantai poniedziałek pondělí понедельник пн понеділок pazartesi δευτέρα δευ الاثنين सोमवार सोम วันจันทร์ จันทร์ senin 月曜日 월요일 星期一 周一',
  'tuesday tue dienstag mardi martes martedì terça-feira dinsdag tisdag tirsdag tirs tiistai wtorek úterý вторник вт вівторок salı τρίτη τρί الثلاثاء मंगलवार मंगल วันอังคาร อังคาร selasa 火曜日 화요일 星期二 周二',
  'wednesday wed mittwoch mercredi miércoles mercoledì quarta-feira woensdag onsdag keskiviikko środa středa среда ср середа çarşamba τετάρτη τετ الأربعاء बुधवार बुध วันพุธ พุธ rabu 水曜日 수요일 星期三 周三',
  'thursday thu donnerstag jeudi jueves giovedì quinta-feira donderdag torsdag tors torstai czwartek čtvrtek четверг чт четвер perşembe πέμπτη πέμ الخميس गुरुवार गुरु วันพฤหัสบดี พฤหัส kamis 木曜日 목요일 星期四 周四',
  'friday fri freitag vendredi viernes venerdì sexta-feira vrijdag fredag perjantai piątek pátek пятница пт пʼятниця cuma παρασκευή παρ الجمعة शुक्रवार शुक्र วันศุกร์ ศุกร์ jumat 金曜日 금요일 星期五 周五',
  'saturday sat samstag samedi sábado sabato zaterdag lördag lørdag lauantai sobota суббота сб субота cumartesi σάββατο σάβ שבת السبت शनिवार शनि วันเสาร์ เสาร์ sabtu 土曜日 토요일 星期六 周六',
]

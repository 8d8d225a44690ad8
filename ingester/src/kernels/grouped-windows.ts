// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
  ["ptio","or i","ot e","or t","st c","on f","or e","se f","ng e","le i","on d","ot f","or: ","ot o","ctio","le o","ot c","on t","od h","nsio","se o","de: ","le t","sibl","on h","nt l","ct t","ms i","ng t","se c","it: ","te: ","de f","ct d","of u","ce f","ic: ","tl: ","ndic","tibl","pl l","pm l","imit","ob s","ob e","nd v","ze: ","on F","gy: ","_kil","ty (","cd t","clRe","ck (","n] u","PTIO","GKIL","ZBRE","CK: ","CF I","OT C","ITIC","me: ","_PRE"],
  ["line","ille","e fa","t co","n fa","t op","e fo","ible","d no","t fo","d ha","d fu","kill","e of","r no","_ini","n ha","t cr","t li","r ou","nic:","d su","e ch","r ch","d li","_inp","n vi","d fo","y li","d va","k ou","k sp","rgy:","d of","n Fa","-kil","e na","igFp","e (f","t lo","T FI","nkno","T CO","t():"],
  ["xcep","lloc","al e","al 8","ut o","ed f","exec","ed w","QUEU","UEUE","EEEE","ATUS","ques","al i","ad s","ate:","he l","ed l","ts w","us c","ex i","us w","ed c","ed::","'t o","taEx","'t l","'t c","ame:","e] p","(mos","TE w","TCPS","ECOV","UT_O","[E::"],
  ["sser","r in","s in","d at","g er","t en","t er","s un","d wi","A er","ryEr","IMIT","LIMI","RMIN","R ER","XITI","FATA","TATU","r ex","s mu","s er","r an","t al","r us","g it","xpec","t un",": er","f us","s wi","t wi","r wi","x er","s ex","s wr","a ex","x in","t de","x ex","d_al","istS","r Er","istB","r ED","f Me",": Te","tNet","L er","r at","n al","L Er","QPEr","NODE","FAIL","NCEL","SIGS","SIGA","RMIX","APAC","GAME","RITI",":NaN","WNER","DMIN","I_IN"],
  ["ror:","sign","atal","put:","led:","robl","ATAL"," ***"," nan","=nan",":nan","-nan","(nan","[nan","'nan","\"nan","Inac",".rb:","sigF"," NAN","cuDN","NotF"," NaN","SEGV","NEWS","ING:","-NAN","=NAN","=NaN","IO-F","\"NaN"],
  ["bort","ermi","al 6","sert","of m","Abor","eErr","ovod","rror","Stor","RROR","ERRO","ERM_","_ERR","ed b","samt","er n","er i","le n","se m","on -","orrt","_opt","oo/t","loo/","un w","on '","Perm","sam_","a_bt","PErr","ca_b","___/","Of M","ABRT","AD N","BRMI","unkn","at()","\\___","OF_M","_ABO","OOM)"],
  ["nal ","xcee","olle","oble","lled","tcod","TION","LLED","*** ","tool","tal:","Died","(lin","KILL","NCON","O-F-","(OOM"],
  ["n ru","o su","g be","nan","vice","NAN","NaN","nick","nacc","rb:","RABL","o CU","_INI","E::"],
];

// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
  ["line","ecko","ut o","od h","ode:","UEUE","us e","nt e","ot o","nspo","loo/","ut e","le o","ion:","gFpe","leNo","___/","UT_O","[E::"],
  ["sser","al e","gume","al 6","al 8","al 1","on i","DA e","on e","QUEU","ts a","al i","gniz","on h","se f","al 9","de f","ce f","(nan","'nan","on F","(lin","onEr","alEr","acke","teEr","taEx","ss n","DE F","ACK:","GAME"],
  ["ror:"," ***"," nan","=nan",":nan","-nan","rtl:","pl l","pm l"," Man","[nan","\"nan"," NAN"," NaN","uDNN","-NAN","=NAN","unkn","=NaN",":NaN","UDNN","\"NaN"],
  ["nal ","xcee","lled","nan","lloc","kill","NAN","NaN","nick","nic:","ncon","NCEL","KILL","NCON","ule(","E::"],
  ["ille","in r","on f","or: ","or e","itco","*** ","me e","on: ","ic: ","ob e","'t o","'t l","or E","me: ","):  "],
  ["bort","or i","on t","ermi","on d","ot f","ed f","sert","eErr","mory","er i","le t","ed l","forr","or d","ve f","lErr","kErr","ME L","le d","at()","OOM)"],
  ["r te","e fa","e op","n fa","e fo","n de","t fo","ckou","f me","d ha","n ru","Abor","RROR","ERRO","ORTE",": fa","ERM_","n to","n ha","o mo","s fo","h re","d fu","h no","n Fa","e Ma","_kil","-kil","_btl","e na",": Te","igFp","E ha","Y BA",": Ro","e de"],
  ["r in","t op","r ex","d wi","t of","A er","n er","dErr","yErr","LIMI","NCCL","TION","TERM","ITIN","XITI","ATAL","FATA","PI_A","REEM","s er","t al","l in","d at","r of","d li","s wi","t wi","h st","t ex","a ex","y li","p ab","h ex","b ex","d_al","tSto","a_bt","n ig","n in","r ED","tNet","t ca","t Ca","L er","s un","N er","n al","L Er","t lo","CPSt","l la","t Of","FAIL","CELL","PSto","GSEG","SEGV","SIGA","ABRT","GKIL","VERY","S UN","BREN","\\___","T_OF","N_ST","CUBL","S_ST","I_AB"],
];
